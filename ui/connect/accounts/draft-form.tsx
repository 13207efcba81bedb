import type { ComponentChildren } from 'preact'
import type { AccountView } from '../../../server/contract/views.ts'
import { ErrorMessage } from '../../components/error-message.tsx'
import { discard, errorOf, hasDrafts, hasErrors, save } from './drafts.ts'

interface Props {
  readonly account: AccountView
  readonly children: ComponentChildren
}

/** All fields of an account, which are saved together. The bar appears when something is edited. */
export function DraftForm({ account, children }: Props) {
  const isDirty = hasDrafts(account.id)
  return (
    <form
      class="account-sections"
      onSubmit={(event) => {
        event.preventDefault()
        if (isDirty) void save(account)
      }}
    >
      {children}
      {isDirty && (
        <div class="save-bar">
          <ErrorMessage
            text={
              errorOf(account, '#') ??
              (hasErrors(account) ? 'Not saved. Correct the marked fields.' : undefined)
            }
          />
          <span class="unsaved">Unsaved changes</span>
          <button type="button" onClick={() => discard(account)}>
            Discard
          </button>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      )}
    </form>
  )
}
