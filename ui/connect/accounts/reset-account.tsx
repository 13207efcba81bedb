import type { AccountView } from '../../../server/contract/views.ts'
import { request } from '../../data/api.ts'
import { showToast } from '../../browser/toasts.ts'
import { ConfirmButton } from './confirm-button.tsx'

export const ResetAccount = ({ account: { id, name } }: { readonly account: AccountView }) => (
  <ConfirmButton
    label="Reset this account…"
    class="danger-text"
    question={`Reset ${name}?`}
    yes="Reset"
    action={() => request('POST /accounts/:id/reset', { param: { id }, json: {} })}
    onDone={() => showToast({ tone: 'ok', text: `${name} was reset` })}
  >
    This restores the account’s original settings and keys, deletes its links, webhooks, refunds, invoices,
    events and behaviors, and restarts its ids. Other accounts do not change. It cannot be undone.
  </ConfirmButton>
)
