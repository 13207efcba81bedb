import type { AccountView } from '../../server/contract/views.ts'
import { api } from '../api.ts'
import { navigate } from '../route.ts'
import { showToast } from '../toasts.ts'
import { ConfirmButton } from './confirm-button.tsx'

export const DeleteAccount = ({ account: { id, name } }: { readonly account: AccountView }) => (
  <ConfirmButton
    label="Delete account…"
    question={`Delete ${name}?`}
    yes="Delete"
    no="Keep it"
    deed={() => api.accounts[':id'].$delete({ param: { id } })}
    onDone={() => {
      showToast({ tone: 'ok', text: `${name} deleted` })
      navigate({ account: undefined, point: undefined }, 'replace')
    }}
  >
    Its keys, its invoices, its events and the behaviors chosen for it go with it. This cannot be undone.
  </ConfirmButton>
)
