import type { AccountView, LinkView } from '../contract/views.ts'
import type { Billing } from '../domain/accounts/account.ts'
import { createApi, type Api } from './api.ts'
import { createBehaviors, type BehaviorChanges, type Behaviors } from './behaviors.ts'
import { createLink, type LinkFields } from './create-link.ts'
import { createFaults, type Faults } from './faults.ts'
import { createPayments, type Payments } from './payments.ts'
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import type { Fetch, Request } from './request.ts'
import { createRecords, type Records } from './records.ts'
import { createWaits, type Waits } from './waits.ts'

/** What may be said of an account. */
export interface AccountChanges {
  readonly name?: string
  readonly apiKey?: string
  readonly recipientToken?: string
  /** Where webhooks go that a link names no other target for. */
  readonly paymentEndpoint?: string
  readonly callbackUrls?: readonly string[]
  readonly webhookUrls?: readonly string[]
  readonly billing?: Partial<Billing>
  readonly bankTransfer?: boolean
  /** In percent, like `1.0`. */
  readonly serviceFee?: string
}

/** What may be said of a new account. Its ids follow from its name. */
export interface AccountOptions extends AccountChanges {
  readonly id?: string
  readonly environment?: 'development' | 'production'
  readonly behaviors?: BehaviorChanges
}

/**
 * An account with its own key. Its events, waits, behaviors, faults and ids are its own, so tests that have one each can
 * share a sandbox.
 */
export interface SandboxAccount extends Readonly<AccountView>, Api, Payments, Records, Waits {
  readonly behaviors: Behaviors
  readonly faults: Faults
  /** What an app under test needs to act as this account. */
  readonly env: { readonly PAYLINK_URL: string; readonly PAYLINK_API_KEY: string }
  /** Creates a payment link: a split link where there are recipients. Throws where it is refused. */
  createLink(fields: LinkFields): Promise<LinkView>
  change(changes: AccountChanges): Promise<SandboxAccount>
  /** Starts a webhook endpoint and makes it the account's. It ends with the sandbox's handle, if not before. */
  receiver(options?: ReceiverOptions): Promise<Receiver>
  /** Takes everything back to how the account was when it was made. */
  reset(): Promise<SandboxAccount>
  /** Removes the account, with everything that is its own. */
  delete(): Promise<void>
}

/** What the accounts of one handle have in common. */
export interface AccountContext {
  readonly url: string
  readonly request: Request
  readonly fetch: Fetch
  /** Called with everything that has to be closed at the end. */
  readonly closeLater: (receiver: Receiver) => void
}

export function createAccountHandle(context: AccountContext, shown: AccountView): SandboxAccount {
  const { url, request, fetch, closeLater: keep } = context
  const path = `/accounts/${shown.id}`
  const api = createApi(url, shown.apiKey, fetch)
  const payments = createPayments(request, shown.id)
  const toHandle = async (answer: Promise<AccountView>) => createAccountHandle(context, await answer)
  const change = (changes: AccountChanges) => toHandle(request<AccountView>('PATCH', path, { body: changes }))
  const reset = () => toHandle(request<AccountView>('POST', `${path}/reset`))

  return {
    ...shown,
    ...api,
    ...payments,
    ...createRecords(request, shown.id),
    ...createWaits(request, shown.id),
    behaviors: createBehaviors(request, shown.id),
    faults: createFaults(request, shown.id),
    env: { PAYLINK_URL: url, PAYLINK_API_KEY: shown.apiKey },
    createLink: async (fields) => createLink(api, payments.link, fields),
    change,
    async receiver(options = {}) {
      const receiver = await startReceiver(options, (address) => explainMissingWebhook(payments, address))
      keep(receiver)
      await change({ paymentEndpoint: receiver.url })
      return receiver
    },
    reset,
    async delete() {
      await reset()
      await request('DELETE', path)
    },
  }
}

const MAX_LISTED = 5

/** What became of the account's newest webhooks, for who waits for one in vain. */
export async function explainMissingWebhook(payments: Payments, address: string): Promise<string> {
  const newest = await payments.deliveries({ limit: MAX_LISTED })
  if (newest.length === 0) return 'None was sent: no payment has had an outcome that notifies.'
  const lines = newest.map(({ id, status, linkId, target, state, heldReason, nextAttemptAt, attempts }) => {
    const last = attempts.at(-1)
    const answer = last && ` (${last.status ?? last.error})`
    const more =
      heldReason ?? (nextAttemptAt === null ? null : `tried again when the clock comes to ${nextAttemptAt}`)
    return `  #${id} ${status} of link ${linkId}, to ${target === address ? 'here' : target}: ${state}${answer ?? ''}${more === null ? '' : `, ${more}`}`
  })
  return ['The newest webhooks:', ...lines].join('\n')
}
