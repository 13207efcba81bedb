/**
 * A signal that aborts when the time is over, or together with another signal. The reason for the former is a
 * `TimeoutError`. Unlike `AbortSignal.any` it leaves nothing behind on a signal that lives longer.
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
