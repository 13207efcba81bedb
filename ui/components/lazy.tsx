import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { connection } from '../data/session.ts'

type LazyState<Props> =
  | { readonly state: 'loading' | 'failed' }
  | { readonly state: 'loaded'; readonly view: ComponentType<Props> }

const loaders: (() => Promise<void>)[] = []

/**
 * Moves a component into a separate file, so that the page loads fast. The file is loaded when the component is first rendered,
 * or by `preloadRest`, so that the component works even after the sandbox has stopped.
 */
export function lazy<Props extends object>(
  importView: () => Promise<ComponentType<Props>>,
  fallback: 'notice' | 'empty' = 'notice',
) {
  const part = signal<LazyState<Props>>({ state: 'loading' })
  let loading: Promise<void> | undefined

  const load = (): Promise<void> =>
    (loading ??= importView().then(
      (view) => {
        part.value = { state: 'loaded', view }
      },
      () => {
        part.value = { state: 'failed' }
        loading = undefined
      },
    ))
  loaders.push(load)

  function Lazy(props: Props) {
    // A file that could not be loaded is loaded once the sandbox can be reached again.
    useEffect(() => void load(), [connection.value])
    const { value } = part
    if (value.state === 'loaded') return <value.view {...props} />
    if (fallback === 'empty') return null
    if (value.state === 'loading') return <p class="hint delayed">Loading…</p>
    return (
      <div class="hint">
        <h2>This part could not be loaded</h2>
        <p>The sandbox may have stopped, or was updated after this page was opened.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload the inspector
        </button>
      </div>
    )
  }
  /** Loads the file before the component is first rendered. */
  Lazy.load = load
  return Lazy
}

/** Loads all remaining files, one after another. */
export async function preloadRest(): Promise<void> {
  for (const load of loaders) await load()
}
