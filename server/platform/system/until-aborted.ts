/**
 * Resolves with the result of `running`. If the signal is aborted first, rejects with its reason. Leaves no listener on the
 * signal.
 */
export async function untilAborted<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const over = new AbortController()
  const aborted = new Promise<never>((_resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { signal: over.signal })
  })
  try {
    return await Promise.race([running, aborted])
  } finally {
    over.abort()
  }
}
