import { effect, signal, type ReadonlySignal } from '@preact/signals'
import { SandboxError } from '../../server/contract/sandbox-error.ts'

export type ResourceState<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'loaded'; readonly value: Value }

/**
 * Loads a value, and loads it again when a signal changes that `load` reads before its first `await`. Only the newest response
 * counts. `load` returns `undefined` if there is nothing to load. While a value is loaded again, the resource keeps the old
 * value, but with `clear` its state becomes `loading`.
 */
export function createResource<Value>(
  load: (signal: AbortSignal) => Promise<Value> | undefined,
  whileReloading: 'keep' | 'clear' = 'keep',
): ReadonlySignal<ResourceState<Value>> {
  const loaded = signal<ResourceState<Value>>({ state: 'loading' })

  effect(() => {
    const superseded = new AbortController()
    const settle = (outcome: ResourceState<Value>) => {
      if (!superseded.signal.aborted) loaded.value = outcome
    }
    if (whileReloading === 'clear') loaded.value = { state: 'loading' }
    load(superseded.signal)?.then(
      (value) => settle({ state: 'loaded', value }),
      (error: unknown) => settle({ state: 'failed', reason: reasonOf(error) }),
    )
    return () => superseded.abort()
  })
  return loaded
}

function reasonOf(error: unknown): string {
  if (error instanceof SandboxError) return error.detail
  return error instanceof Error ? error.message : String(error)
}

export const DEBOUNCE_MS = 250

/** Loads after a pause. Rejects if the signal is aborted during the pause, because the user is still typing. */
export async function debounced<Value>(abort: AbortSignal, load: () => Promise<Value>): Promise<Value> {
  await new Promise<void>((resolve) => setTimeout(resolve, DEBOUNCE_MS))
  abort.throwIfAborted()
  return load()
}
