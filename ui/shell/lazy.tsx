import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'

type Part<Props> =
  | { readonly state: 'loading' | 'failed' }
  | { readonly state: 'loaded'; readonly view: ComponentType<Props> }

const waiting: (() => Promise<void>)[] = []

/**
 * A part of the inspector that the first sight of it does not need. It is loaded when it is shown, or when the
 * browser has nothing else to do, so that it is there when the sandbox is not.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: 'told' | 'empty' = 'told',
) {
  const part = signal<Part<Props>>({ state: 'loading' })
  let loading: Promise<void> | undefined

  const begin = (): Promise<void> =>
    (loading ??= load().then(
      (view) => {
        part.value = { state: 'loaded', view }
      },
      () => {
        part.value = { state: 'failed' }
        loading = undefined
      },
    ))
  waiting.push(begin)

  return function Lazy(props: Props) {
    useEffect(() => void begin(), [])
    const { value } = part
    if (value.state === 'loaded') return <value.view {...props} />
    if (meanwhile === 'empty') return null
    if (value.state === 'loading') return <p class="hint late">Loading…</p>
    return (
      <div class="hint">
        <h2>This screen could not be loaded</h2>
        <p>The sandbox may be stopped, or have been updated since this page was opened.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload the inspector
        </button>
      </div>
    )
  }
}

/** Loads what has not been shown yet, one part after another. */
export async function preloadRest(): Promise<void> {
  for (const begin of waiting) await begin()
}
