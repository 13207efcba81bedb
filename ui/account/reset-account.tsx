import type { AccountView } from '../../server/contract/views.ts'
import { api } from '../api.ts'
import { showToast } from '../toasts.ts'
import { ConfirmButton } from './confirm-button.tsx'

export const ResetAccount = ({ account: { id, name } }: { readonly account: AccountView }) => (
  <ConfirmButton
    label="Reset this account…"
    question={`Reset ${name}?`}
    yes="Reset"
    no="Leave it"
    deed={() => api.accounts[':id'].reset.$post({ param: { id }, json: {} })}
    onDone={() => showToast({ tone: 'ok', text: `${name} is as it was made` })}
  >
    It becomes what it was when it was made, keys included. Its links, webhooks, refunds, invoices, events and
    behaviors go, and its ids begin again. Nothing of other accounts changes. This cannot be undone.
  </ConfirmButton>
)
