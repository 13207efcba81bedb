import { computed, signal } from '@preact/signals'
import { decodeLinkId } from '../../server/domain/links/link-id.ts'
import { accountList } from '../accounts.ts'
import { api, UNREACHABLE } from '../api.ts'
import { copy } from '../clipboard.ts'
import { curlCommand } from '../../server/domain/http/curl.ts'
import { textBody } from '../../server/domain/http/exchange.ts'
import { createResource, whenTypingRests } from '../resource.ts'
import { settings } from '../session.ts'
import { apiUrl } from '../urls.ts'
import { callOf, emptyDraft, PASTED, type Draft, type DraftRecipient } from './link-draft.ts'
import { fieldNamedIn } from './field-of-error.ts'
import { isFormOpen } from './dialog-state.ts'
import { previewPayout } from './calculate-payout.ts'

const typed = signal<Draft>(emptyDraft)
const chosenOwner = signal('')

/** Why the last try was refused, in the service's words, until something is changed. */
export const refusal = signal<string | undefined>(undefined)

export const namedField = computed(() =>
  refusal.value === undefined ? undefined : fieldNamedIn(refusal.value),
)

/** Only these can make links here, and take part in them. */
export const parties = computed(() =>
  accountList.value.filter(({ environment }) => environment === 'development'),
)

export const owner = computed(
  () => parties.value.find(({ id }) => id === chosenOwner.value) ?? parties.value[0],
)

/** Who can be picked as a recipient: everybody but the owner. */
export const others = computed(() => parties.value.filter(({ id }) => id !== owner.value?.id))

/** The form as it is now. */
export const draft = computed((): Draft => ({
  ...typed.value,
  recipients: typed.value.recipients.map((recipient) => ({ ...recipient, pick: pickOf(recipient) })),
}))

/**
 * A recipient that nobody has picked is the first there is, as is one that has become the owner. One that has
 * gone is nobody: somebody else would be paid in its place.
 */
function pickOf({ pick }: DraftRecipient): string {
  if (pick === '' || pick === owner.value?.id) return others.value[0]?.id ?? PASTED
  return others.value.some(({ id }) => id === pick) ? pick : PASTED
}

/** The token of a picked account, as it is now: a token can be rotated while the form is open. */
const tokenOf = (pick: string): string => others.peek().find(({ id }) => id === pick)?.recipientToken ?? pick

export function change(changes: Partial<Draft>): void {
  typed.value = { ...typed.peek(), ...changes }
  refusal.value = undefined
}

export function changeRecipient(index: number, changes: Partial<DraftRecipient>): void {
  change({
    recipients: draft.peek().recipients.map((one, at) => (at === index ? { ...one, ...changes } : one)),
  })
}

export function chooseOwner(id: string): void {
  chosenOwner.value = id
  refusal.value = undefined
}

export const payout = computed(() => previewPayout(draft.value))

const addresses = computed(() =>
  JSON.stringify([owner.value?.id, draft.value.paymentEndpoint, draft.value.callbackUrl]),
)

/** What the addresses resolve to, asked for once the typing rests. */
export const targets = createResource((overtaken) => {
  // Maps and allowed hosts may change meanwhile.
  if (!isFormOpen.value || !owner.value || settings.value < 0) return undefined
  const [account, paymentEndpoint, callbackUrl] = JSON.parse(addresses.value) as [string, string, string]
  return whenTypingRests(overtaken, async () => {
    const answer = await api.targets.preview.$post({ json: { account, paymentEndpoint, callbackUrl } })
    return answer.json()
  })
})

/** The request that an integrator would make. */
function request() {
  const { recipients, ...rest } = draft.peek()
  const { operation, body } = callOf({
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

export const copyCall = () => copy(curlCommand(request()), 'cURL command')

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
