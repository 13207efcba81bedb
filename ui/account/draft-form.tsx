import type { ComponentChildren } from 'preact'
import type { AccountView } from '../../server/contract/views.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { discard, errorOf, fieldOf, save, type Path } from './drafts.ts'

interface Props {
  readonly account: AccountView
  readonly paths: readonly [Path, ...Path[]]
  /** The object of the button's text, as in `Save settings`. */
  readonly what: string
  readonly children: ComponentChildren
}

/** Fields of an account that are saved together. */
export function DraftForm({ account, paths, what, children }: Props) {
  const isDirty = paths.some((path) => fieldOf(account, path).isDirty)
  const error = errorOf(account, `#${paths[0]}`)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isDirty) void save(account, paths, what)
  }

  return (
    <form class="form" onSubmit={submit}>
      {children}
      <div class="button-row">
        <button type="submit" class={isDirty ? 'primary' : ''} disabled={!isDirty}>
          Save {what.toLowerCase().replace('url', 'URL')}
        </button>
        {isDirty && (
          <>
            <button type="button" onClick={() => discard(account, paths)}>
              Discard
            </button>
            <span class="unsaved">Unsaved changes</span>
          </>
        )}
      </div>
      <ErrorMessage text={error} />
    </form>
  )
}
