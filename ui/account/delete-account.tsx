import { useSignal } from '@preact/signals'
import type { ShownAccount } from '../../server/control/present.ts'
import { api, refusalOf } from '../api.ts'
import { navigate } from '../route.ts'
import { Dialog } from '../shell/dialog.tsx'
import { showToast } from '../toasts.ts'

export function DeleteAccount({ account: { id, name } }: { readonly account: ShownAccount }) {
  const isOpen = useSignal(false)
  const refused = useSignal('')

  const remove = async () => {
    const refusal = await refusalOf(() => api.accounts[':id'].$delete({ param: { id } }))
    refused.value = refusal?.message ?? ''
    if (refusal) return
    isOpen.value = false
    showToast({ tone: 'ok', text: `${name} deleted` })
    navigate({ account: undefined, point: undefined }, 'replace')
  }
  const open = () => {
    refused.value = ''
    isOpen.value = true
  }

  return (
    <>
      <button type="button" onClick={open}>
        Delete account…
      </button>
      <Dialog title={`Delete ${name}?`} isOpen={isOpen.value} onClose={() => (isOpen.value = false)}>
        <p>Its keys, its invoices and the behaviors chosen for it go with it. This cannot be undone.</p>
        {refused.value !== '' && (
          <p class="wrong" role="alert">
            {refused.value}
          </p>
        )}
        <div class="actions">
          <button type="button" class="danger" onClick={remove}>
            Delete
          </button>
          <button type="button" onClick={() => (isOpen.value = false)}>
            Keep it
          </button>
        </div>
      </Dialog>
    </>
  )
}
