import { useSignal } from '@preact/signals'
import { request, withErrorToast } from '../data/api.ts'
import { plural } from '../../server/contract/format/values.ts'
import { openNewLink } from '../new-link/dialog-state.ts'
import { Icon } from '../components/icon.tsx'
import { showToast } from '../browser/toasts.ts'
import { Checklist } from './checklist.tsx'
import { FirstCall } from './first-call.tsx'
import { shop } from './shop.ts'
import { doneSteps } from './steps.ts'

/** What an empty sandbox shows: two ways to get events, and the first steps. */
export function FirstRun({ title }: { readonly title: string }) {
  const isLoading = useSignal(false)
  const done = doneSteps.value
  const loadStory = async () => {
    isLoading.value = true
    await withErrorToast(() => loadSampleStory(shop.value?.id))
    isLoading.value = false
  }
  return (
    <div class="first-run">
      <div>
        <div class="start">
          <h2>{title}</h2>
          <p>
            Every call, webhook and redirect appears here as it happens. Create a payment to see the first
            ones, or load a story with stored, failed and held webhooks.
          </p>
          <p class="actions">
            <button type="button" class="primary" aria-keyshortcuts="n" onClick={openNewLink}>
              <Icon name="add" />
              Create a payment
              <kbd aria-hidden="true">n</kbd>
            </button>
            <button type="button" disabled={isLoading.value || !shop.value} onClick={loadStory}>
              {isLoading.value ? 'Loading the story…' : 'Load a sample story'}
            </button>
          </p>
          <FirstCall />
        </div>
        {done && <Checklist done={done} />}
      </div>
    </div>
  )
}

async function loadSampleStory(account: string | undefined): Promise<void> {
  const json = account === undefined ? {} : { account }
  const { payments, snapshot } = await request('POST /seed/sample-story', { json })
  const undo = () =>
    withErrorToast(() => request('POST /snapshots/:name/restore', { param: { name: snapshot } }))
  showToast({
    tone: 'ok',
    text: `Sample story loaded: ${plural(payments, 'payment')}`,
    action: { label: 'Undo', run: undo },
  })
}
