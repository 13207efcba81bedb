import type { AccountView } from '../../../server/contract/views.ts'
import { request } from '../../data/api.ts'
import { navigate } from '../../browser/route.ts'
import { showToast } from '../../browser/toasts.ts'
import { ConfirmButton } from './confirm-button.tsx'

export const DeleteAccount = ({ account: { id, name } }: { readonly account: AccountView }) => (
  <ConfirmButton
    label="Delete account…"
    class="danger-text"
    question={`Delete ${name}?`}
    yes="Delete"
    action={() => request('DELETE /accounts/:id', { param: { id } })}
    onDone={() => {
      showToast({ tone: 'ok', text: `${name} deleted` })
      navigate({ account: undefined, point: undefined }, 'replace')
    }}
  >
    This also deletes its keys, invoices, events and behaviors. It cannot be undone.
  </ConfirmButton>
)
