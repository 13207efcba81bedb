/**
 * A signal that aborts with a `TimeoutError` after a time, or when `signal` aborts.
 *
 * On Node 20 `AbortSignal.any` holds no `AbortSignal.timeout` that nothing else refers to: it is collected and never fires.
 * Here the timer holds the controller. It does not keep the process alive.
 */
export function timeoutSignal(timeoutMs: number, signal?: AbortSignal): AbortSignal {
  const controller = new AbortController()
  setTimeout(
    () => controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
    timeoutMs,
  ).unref()
  return signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
}
