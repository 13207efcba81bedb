/**
 * A signal that aborts after a time, with a `TimeoutError`, or together with another signal. Unlike `AbortSignal.any`
 * it leaves no listener on the other signal.
 */
export function createDeadline(timeoutMs: number, signal: AbortSignal) {
  const controller = new AbortController()
  const end = () => controller.abort(signal.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  return {
    signal: controller.signal,
    clear(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    },
  }
}
