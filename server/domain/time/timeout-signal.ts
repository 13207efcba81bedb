/**
 * A signal that aborts with a `TimeoutError` after a time, or when `signal` is aborted. On Node 20, a signal of
 * `AbortSignal.timeout` that is passed only to `AbortSignal.any` can be garbage-collected, and then never fires. So a timer keeps
 * a reference to the controller. The timer does not keep the process alive.
 */
export function timeoutSignal(timeoutMs: number, signal?: AbortSignal): AbortSignal {
  const controller = new AbortController()
  setTimeout(
    () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
    timeoutMs,
  ).unref()
  return signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
}
