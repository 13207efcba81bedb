import { computed, signal } from '@preact/signals'
import { decodeLinkId } from '../../server/domain/links/link-id.ts'
import { accountList } from '../accounts.ts'
import { api, UNREACHABLE } from '../api.ts'
import { copy } from '../clipboard.ts'
import { curlCommand } from '../../server/domain/http/curl.ts'
import { textBody } from '../../server/domain/http/exchange.ts'
import { createResource, debounced } from '../resource.ts'
import { settingsVersion } from '../session.ts'
import { apiUrl } from '../urls.ts'
import { toApiCall, emptyDraft, CUSTOM_TOKEN, type Draft, type RecipientDraft } from './link-draft.ts'
import { fieldOfError } from './field-of-error.ts'
import { isDialogOpen } from './dialog-state.ts'
import { calculatePayout } from './calculate-payout.ts'

const typed = signal<Draft>(emptyDraft)
const selectedOwner = signal('')

/** Why the last try was refused, in the service's words, until something is changed. */
export const refusal = signal<string | undefined>(undefined)

export const errorField = computed(() =>
  refusal.value === undefined ? undefined : fieldOfError(refusal.value),
)

/** Only these can make links here, and take part in them. */
export const developmentAccounts = computed(() =>
  accountList.value.filter(({ environment }) => environment === 'development'),
)

export const owner = computed(
  () =>
    developmentAccounts.value.find(({ id }) => id === selectedOwner.value) ?? developmentAccounts.value[0],
)

/** Who can be picked as a recipient: everybody but the owner. */
export const others = computed(() => developmentAccounts.value.filter(({ id }) => id !== owner.value?.id))

/** The form as it is now. */
export const draft = computed((): Draft => ({
  ...typed.value,
  recipients: typed.value.recipients.map((recipient) => ({ ...recipient, pick: choiceOf(recipient) })),
}))

/**
 * A recipient that nobody has picked is the first there is, as is one that has become the owner. One that has
 * gone is nobody: somebody else would be paid in its place.
 */
function choiceOf({ pick }: RecipientDraft): string {
  if (pick === '' || pick === owner.value?.id) return others.value[0]?.id ?? CUSTOM_TOKEN
  return others.value.some(({ id }) => id === pick) ? pick : CUSTOM_TOKEN
}

/** The token of a picked account, as it is now: a token can be rotated while the form is open. */
const tokenOf = (pick: string): string => others.peek().find(({ id }) => id === pick)?.recipientToken ?? pick

export function change(changes: Partial<Draft>): void {
  typed.value = { ...typed.peek(), ...changes }
  refusal.value = undefined
}

export function updateRecipient(index: number, changes: Partial<RecipientDraft>): void {
  change({
    recipients: draft.peek().recipients.map((one, at) => (at === index ? { ...one, ...changes } : one)),
  })
}

export function selectOwner(id: string): void {
  selectedOwner.value = id
  refusal.value = undefined
}

export const payout = computed(() => calculatePayout(draft.value))

const addresses = computed(() =>
  JSON.stringify([owner.value?.id, draft.value.paymentEndpoint, draft.value.callbackUrl]),
)

/** What the addresses resolve to, asked for once the typing rests. */
export const targets = createResource((superseded) => {
  // Maps and allowed hosts may change meanwhile.
  if (!isDialogOpen.value || !owner.value || settingsVersion.value < 0) return undefined
  const [account, paymentEndpoint, callbackUrl] = JSON.parse(addresses.value) as [string, string, string]
  return debounced(superseded, async () => {
    const answer = await api.targets.preview.$post({ json: { account, paymentEndpoint, callbackUrl } })
    return answer.json()
  })
})

/** The request that an integrator would make. */
function request() {
  const { recipients, ...rest } = draft.peek()
  const { operation, body } = toApiCall({
    ...rest,
    recipients: recipients.map((recipient) => ({ ...recipient, pick: tokenOf(recipient.pick) })),
  })
  return {
    method: 'POST',
    url: apiUrl(operation),
    headers: [
      ['token', owner.peek()?.apiKey ?? ''],
      ['content-type', 'application/json'],
    ],
    body: textBody(JSON.stringify(body)),
  } as const
}

export const copyRequestAsCurl = () => copy(curlCommand(request()), 'cURL command')

interface Envelope {
  readonly ResponseCode?: number
  readonly ResponseMsg?: string
  readonly data?: { readonly pay_link: string }
}

/** Makes the link by the call an integrator would make. The `pay_id`, or `undefined` where it was refused. */
export async function createLink(): Promise<number | undefined> {
  const { method, url, headers, body } = request()
  const init = { method, headers: Object.fromEntries(headers), body: body.content }
  const response = await fetch(url, init).catch(() => undefined)
  const envelope = (await response?.json().catch(() => undefined)) as Envelope | undefined
  if (envelope?.ResponseCode === 1 && envelope.data) {
    typed.value = emptyDraft
    refusal.value = undefined
    return decodeLinkId(new URL(envelope.data.pay_link).searchParams.get('link_id') ?? '')
  }
  refusal.value = envelope?.ResponseMsg ?? (response ? `The answer was HTTP ${response.status}` : UNREACHABLE)
  return undefined
}
