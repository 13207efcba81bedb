import { computed, effect, signal } from '@preact/signals'
import { curlCommand } from '../../server/domain/http/curl.ts'
import { textBody } from '../../server/domain/http/exchange.ts'
import { decodeLinkId } from '../../server/domain/links/link-id.ts'
import { accountList } from '../data/accounts.ts'
import { request, SANDBOX_UNREACHABLE } from '../data/api.ts'
import { copy } from '../browser/clipboard.ts'
import { createResource, debounced } from '../data/resource.ts'
import { connection, settingsVersion } from '../data/session.ts'
import { LOCAL_HEADER } from '../../server/domain/api/upstream.ts'
import { apiUrl } from '../data/urls.ts'
import { calculatePayout } from './calculate-payout.ts'
import { isDialogOpen } from './dialog-state.ts'
import { fieldOfError } from './field-of-error.ts'
import { CUSTOM_TOKEN, emptyDraft, toApiCall, type LinkDraft, type RecipientDraft } from './link-draft.ts'

const input = signal<LinkDraft>(emptyDraft)
const selectedOwner = signal('')

/** The API's message for the last attempt to create the link, until the input changes. */
export const errorMessage = signal<string | undefined>(undefined)

// Once the connection is back, an error that the sandbox cannot be reached is no longer true.
effect(() => {
  if (connection.value === 'live') errorMessage.value = undefined
})

const errorPath = signal<string | null>(null)

export const errorField = computed(() =>
  errorMessage.value === undefined || errorPath.value === null ? undefined : fieldOfError(errorPath.value),
)

/** Only development accounts can create links and receive shares. */
export const developmentAccounts = computed(() =>
  accountList.value.filter(({ environment }) => environment === 'development'),
)

export const owner = computed(
  () =>
    developmentAccounts.value.find(({ id }) => id === selectedOwner.value) ?? developmentAccounts.value[0],
)

/** The development accounts, without the owner. */
export const possibleRecipients = computed(() =>
  developmentAccounts.value.filter(({ id }) => id !== owner.value?.id),
)

/** The input, with the selected account of each recipient. */
export const draft = computed((): LinkDraft => ({
  ...input.value,
  recipients: input.value.recipients.map((recipient) => ({ ...recipient, selected: selectionOf(recipient) })),
}))

/**
 * The selection of a recipient. If nothing is selected, or if the selected account has become the owner, it is the first
 * possible recipient. If the selected account was deleted, it is an empty custom token, so that no other account gets its
 * share.
 */
function selectionOf({ selected }: RecipientDraft): string {
  if (selected === '' || selected === owner.value?.id) return possibleRecipients.value[0]?.id ?? CUSTOM_TOKEN
  return possibleRecipients.value.some(({ id }) => id === selected) ? selected : CUSTOM_TOKEN
}

/** The account's current token, which can change while the form is open. */
const tokenOf = (selected: string): string =>
  possibleRecipients.peek().find(({ id }) => id === selected)?.recipientToken ?? selected

export function updateDraft(changes: Partial<LinkDraft>): void {
  input.value = { ...input.peek(), ...changes }
  errorMessage.value = undefined
}

export function updateRecipient(index: number, changes: Partial<RecipientDraft>): void {
  updateDraft({
    recipients: draft
      .peek()
      .recipients.map((recipient, at) => (at === index ? { ...recipient, ...changes } : recipient)),
  })
}

export function selectOwner(id: string): void {
  selectedOwner.value = id
  errorMessage.value = undefined
}

export const payout = computed(() => calculatePayout(draft.value))

const addresses = computed(() =>
  JSON.stringify([owner.value?.id, draft.value.paymentEndpoint, draft.value.callbackUrl]),
)

/** The resolved targets of the addresses. Loaded again when maps or allowed hosts change. */
export const targets = createResource((abortSignal) => {
  if (!isDialogOpen.value || !owner.value || settingsVersion.value < 0) return undefined
  const [account, paymentEndpoint, callbackUrl] = JSON.parse(addresses.value) as [string, string, string]
  return debounced(abortSignal, async () => {
    return request('POST /targets/preview', { json: { account, paymentEndpoint, callbackUrl } })
  })
})

/** The API call that an app would make. */
function createRequest() {
  const { recipients, ...rest } = draft.peek()
  const { operation, body } = toApiCall({
    ...rest,
    recipients: recipients.map((recipient) => ({ ...recipient, selected: tokenOf(recipient.selected) })),
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

export const copyRequestAsCurl = () => copy(curlCommand(createRequest()), 'cURL command')

interface Envelope {
  readonly ResponseCode?: number
  readonly ResponseMsg?: string
  readonly data?: { readonly pay_link: string }
}

/** Creates the link. Returns its `pay_id`, or `undefined` after setting `errorMessage`. */
export async function createLink(): Promise<number | undefined> {
  const { method, url, headers, body } = createRequest()
  const init = {
    method,
    headers: { ...Object.fromEntries(headers), [LOCAL_HEADER]: 'true' },
    body: body.content,
  }
  const response = await fetch(url, init).catch(() => undefined)
  const envelope = (await response?.json().catch(() => undefined)) as Envelope | undefined
  if (envelope?.ResponseCode === 1 && envelope.data) {
    input.value = emptyDraft
    errorMessage.value = undefined
    return decodeLinkId(new URL(envelope.data.pay_link).searchParams.get('link_id') ?? '')
  }
  errorPath.value = response?.headers.get('sandbox-error-field') ?? null
  errorMessage.value =
    envelope?.ResponseMsg ?? (response ? `The response was HTTP ${response.status}` : SANDBOX_UNREACHABLE)
  return undefined
}
