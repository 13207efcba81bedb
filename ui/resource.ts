import { effect, signal, type ReadonlySignal } from '@preact/signals'

export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'loaded'; readonly value: Value }

/**
 * Loads, and loads again whenever a signal that `load` reads before its first `await` changes. Only the
 * newest answer counts. `load` returns `undefined` while there is nothing to load. What was loaded stays
 * until the next answer, or is `dropped` at once where it would be mistaken for it.
 */
export function createResource<Value>(
  load: (signal: AbortSignal) => Promise<Value> | undefined,
  meanwhile: 'kept' | 'dropped' = 'kept',
): ReadonlySignal<Loaded<Value>> {
  const loaded = signal<Loaded<Value>>({ state: 'loading' })

  effect(() => {
    const superseded = new AbortController()
    const settle = (outcome: Loaded<Value>) => {
      if (!superseded.signal.aborted) loaded.value = outcome
    }
    if (meanwhile === 'dropped') loaded.value = { state: 'loading' }
    load(superseded.signal)?.then(
      (value) => settle({ state: 'loaded', value }),
      (error: unknown) =>
        settle({ state: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
    return () => superseded.abort()
  })
  return loaded
}

export const DEBOUNCE_MS = 250

/** Asks once the typing rests. What was typed on meanwhile asks for itself. */
export async function debounced<Answer>(
  superseded: AbortSignal,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  await new Promise<void>((rest) => setTimeout(rest, DEBOUNCE_MS))
  superseded.throwIfAborted()
  return ask()
}
