import { computed } from '@preact/signals'
import type { AccountView } from '../../../server/contract/views.ts'
import { whyInvalidEndpoint, whyInvalidUrl } from '../../../server/domain/network/urls.ts'
import { request, fieldErrorText } from '../../data/api.ts'
import { EffectiveTarget } from '../maps/effective-target.tsx'
import { createResource, debounced } from '../../data/resource.ts'
import { currentAccount, shouldLoadAccount } from './current-account.ts'
import { errorOf, fieldOf } from './drafts.ts'

type ListName = 'callbackUrls' | 'webhookUrls'
type FieldName = 'paymentEndpoint' | ListName

/**
 * The request for the preview, as JSON. Because equal texts are equal signals, the preview is not loaded again without a
 * change.
 */
const previewRequest = computed(() => currentAccount.value && JSON.stringify(toRequest(currentAccount.value)))

function toRequest(account: AccountView) {
  const list = (name: ListName) => fieldOf(account, name).value as readonly string[]
  const as = {
    paymentEndpoint: String(fieldOf(account, 'paymentEndpoint').value),
    callbackUrls: list('callbackUrls'),
    webhookUrls: list('webhookUrls'),
  }
  return {
    account: account.id,
    as,
    callbackUrl: Object.keys(as.callbackUrls).join(),
    paymentEndpoint: Object.keys(as.webhookUrls).join(),
  }
}

const preview = createResource((signal) => {
  const text = previewRequest.value
  if (text === undefined || !shouldLoadAccount()) return undefined
  return debounced(signal, async () => {
    const json = JSON.parse(text) as ReturnType<typeof toRequest>
    const { targets, callbacks, passedOver } = await request('POST /targets/preview', { json })
    const endpoint = passedOver ?? targets.find(({ position }) => position === null)
    return {
      input: json.as,
      paymentEndpoint: endpoint && [endpoint],
      webhookUrls: targets,
      callbackUrls: callbacks,
    }
  })
})

interface Props {
  readonly field: 'paymentEndpoint' | `${ListName}.${number}`
}

/** Where requests for the typed URL would go, or why the URL cannot be saved. */
export function UrlPreview({ field }: Props) {
  const [name, index = '0'] = field.split('.') as [FieldName, string?]
  if (preview.value.state !== 'loaded' || !currentAccount.value) {
    return <div class="resolved" aria-live="polite" />
  }
  const loaded = preview.value.value
  const entry = loaded[name]?.[Number(index)]
  const problem = findProblem(loaded.input?.[name] ?? '', Number(index))
  const isShownByForm = errorOf(currentAccount.value, field) !== undefined
  return (
    <div class="resolved" aria-live="polite">
      {problem !== null && !isShownByForm && <span class="error">{fieldErrorText(problem)}</span>}
      {problem === null && entry && entry.url !== null && <EffectiveTarget {...entry} repeats={null} />}
    </div>
  )
}

/** Validates a URL as saving would, but allows a new entry to be empty. */
function findProblem(value: string | readonly string[], index: number): string | null {
  if (typeof value === 'string') return whyInvalidEndpoint(value)
  return value[index] ? whyInvalidUrl(value[index]) : null
}
