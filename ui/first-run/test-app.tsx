import { signal, useSignal } from '@preact/signals'
import { SandboxError } from '../../server/contract/sandbox-error.ts'
import { request, singleFieldError, withErrorToast } from '../data/api.ts'
import { formatTook } from '../../server/contract/format/values.ts'
import { Icon } from '../components/icon.tsx'
import { showToast } from '../browser/toasts.ts'
import { shop } from './shop.ts'

const DEFAULT_URL = 'http://localhost:3000/webhooks'

/** Kept outside of the component, so that the text stays when the list moves above the timeline. */
const typed = signal<string | undefined>(undefined)
const result = signal<{ readonly isAnswered: boolean; readonly text: string } | undefined>(undefined)

/** Sends a test request to the user's app, says whether the app answers, and can make the app the target of webhooks. */
export function TestApp() {
  const isBusy = useSignal(false)
  const owner = shop.value
  const url = typed.value ?? owner?.webhookUrls[0] ?? DEFAULT_URL

  const test = async () => {
    isBusy.value = true
    result.value = await ask(url)
    isBusy.value = false
  }
  return (
    <form
      class="test-app"
      onSubmit={(event) => {
        event.preventDefault()
        void test()
      }}
    >
      <input
        type="text"
        inputMode="url"
        aria-label="Address of your app"
        autocomplete="off"
        spellcheck={false}
        required
        value={url}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          result.value = undefined
        }}
      />
      <button type="submit" disabled={isBusy.value}>
        Test
      </button>
      <p role="status" class={result.value?.isAnswered ? 'ok' : 'error'}>
        {result.value && <Icon name={result.value.isAnswered ? 'ok' : 'close'} size={14} />}
        {result.value?.text}
      </p>
      {result.value?.isAnswered && owner && owner.paymentEndpoint !== url && (
        <button type="button" class="link" onClick={() => useForWebhooks(owner.id, owner.name, url)}>
          Send the webhooks of {owner.name} there
        </button>
      )}
    </form>
  )
}

async function ask(to: string) {
  try {
    const { status, error, ms, findings } = await request('POST /checks/probe', { json: { to } })
    if (status === null) return { isAnswered: false, text: `No response: ${findings[0]?.fix ?? error}` }
    const hint = status === 404 || status === 405 ? '. Does your app take a POST at this address?' : ''
    return { isAnswered: true, text: `Reachable: answered ${status} in ${formatTook(ms)}${hint}` }
  } catch (error) {
    if (error instanceof SandboxError) return { isAnswered: false, text: singleFieldError(error) }
    throw error
  }
}

const useForWebhooks = (id: string, name: string, paymentEndpoint: string): Promise<unknown> =>
  withErrorToast(async () => {
    await request('PATCH /accounts/:id', { param: { id }, json: { paymentEndpoint } })
    showToast({ tone: 'ok', text: `New payments of ${name} send their webhooks to ${paymentEndpoint}` })
  })
