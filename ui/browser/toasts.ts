import { signal } from '@preact/signals'

export interface ToastContent {
  /** `plain`: the outcome is not known yet. `warn`: the action is done, with a remark. */
  readonly tone: 'ok' | 'err' | 'plain' | 'warn'
  readonly text: string
  /** For an error, the method, path and status of the request. */
  readonly request?: string
  /** A button that also closes the toast. */
  readonly action?: { readonly label: string; readonly run: () => unknown }
}

interface Toast extends ToastContent {
  readonly id: number
}

const SHOWN_MS = { ok: 3_000, plain: 3_000, warn: 10_000, err: 10_000, action: 10_000 } as const

const MAX_TOASTS = 4

export const toasts = signal<readonly Toast[]>([])

let lastId = 0

/** Shows a toast and returns its id. */
export function showToast(toast: ToastContent): number {
  const id = ++lastId
  toasts.value = [...toasts.value, { ...toast, id }].slice(-MAX_TOASTS)
  startTimer(id)
  return id
}

/** Replaces the content of a toast, or shows a new one if it is closed. */
export function updateToast(id: number, content: ToastContent): void {
  if (!toasts.peek().some((shown) => shown.id === id)) {
    showToast(content)
    return
  }
  toasts.value = toasts.peek().map((shown) => (shown.id === id ? { ...content, id } : shown))
  // A toast without a timer is under the pointer, or has the focus.
  if (timers.has(id)) startTimer(id)
}

const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Keeps a toast open while the pointer or the focus is on it. */
export function stopTimer(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** Closes a toast after its time. */
export function startTimer(id: number): void {
  const toast = toasts.peek().find((shown) => shown.id === id)
  if (!toast) return
  stopTimer(id)
  timers.set(
    id,
    setTimeout(() => dismissToast(id), SHOWN_MS[toast.action ? 'action' : toast.tone]),
  )
}

export function dismissToast(id: number): void {
  stopTimer(id)
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}
