import { signal } from '@preact/signals'

export interface Toast {
  readonly id: number
  /** `plain` where what comes of it is not known yet, `warn` where it was done and is worth a second look. */
  readonly tone: 'ok' | 'err' | 'plain' | 'warn'
  readonly text: string
  /** What was asked, for an error: method, path and status. */
  readonly request?: string
  /** What can be done about it. It is shown longer, and goes once it is done. */
  readonly action?: { readonly label: string; readonly run: () => unknown }
}

const SHOWN_MS = { ok: 3_000, plain: 3_000, warn: 10_000, err: 10_000, action: 10_000 } as const

export const toasts = signal<readonly Toast[]>([])

let newest = 0

export function showToast(toast: Omit<Toast, 'id'>): void {
  const id = ++newest
  toasts.value = [...toasts.value, { ...toast, id }].slice(-4)
  startTimer(id)
}

const timers = new Map<number, ReturnType<typeof setTimeout>>()

/** Keeps a toast for as long as somebody is at it. */
export function hold(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** Lets a toast go when its time is up. */
export function startTimer(id: number): void {
  const toast = toasts.peek().find((shown) => shown.id === id)
  if (!toast) return
  hold(id)
  timers.set(
    id,
    setTimeout(() => dismissToast(id), SHOWN_MS[toast.action ? 'action' : toast.tone]),
  )
}

export function dismissToast(id: number): void {
  hold(id)
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}
