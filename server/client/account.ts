import type { AccountView, LinkView } from '../contract/views.ts'
import type { Billing } from '../domain/accounts/account.ts'
import { createApi, type Api } from './api.ts'
import { createBehaviors, type BehaviorChanges, type Behaviors } from './behaviors.ts'
import { createLink, type LinkFields } from './create-link.ts'
import { createFaults, type Faults } from './faults.ts'
import { createPayments, type Payments } from './payments.ts'
import { startReceiver, type Receiver, type ReceiverOptions } from './receiver.ts'
import type { Fetch } from '../domain/http/fetch.ts'
import type { Request } from './request.ts'
import { createRecords, type Records } from './records.ts'
import { createWaits, type Waits } from './waits.ts'

/** Settings of an account. Fields that are left out do not change. */
export interface AccountChanges {
  readonly name?: string
  readonly apiKey?: string
  readonly recipientToken?: string
  /** The URL for webhooks of links without a `payment_endpoint`. */
  readonly paymentEndpoint?: string
  /** The URLs that a link's `callback_url` can select by index. */
  readonly callbackUrls?: readonly string[]
  /** The URLs that a link's `payment_endpoint` can select by index. */
  readonly webhookUrls?: readonly string[]
  readonly billing?: Partial<Billing>
  readonly bankTransfer?: boolean
  /** In percent, as text: `'1.0'`. */
  readonly serviceFee?: string
}

/** Settings of a new account. An account with the same name has the same ids in every run. */
export interface AccountOptions extends AccountChanges {
  readonly id?: string
  readonly environment?: 'development' | 'production'
  readonly behaviors?: BehaviorChanges
}

/**
 * An account with its own API key. Accounts have separate events, waits, behaviors, faults and ids, so tests can share a
 * sandbox if each has its own account.
 */
export interface SandboxAccount extends Readonly<AccountView>, Api, Payments, Records, Waits {
  readonly behaviors: Behaviors
  readonly faults: Faults
  /** Environment variables for your app: the base URL of the service, and the key and the id of this account. */
  readonly env: {
    readonly PAYLINK_URL: string
    readonly PAYLINK_API_KEY: string
    readonly PAYLINK_USER_ID: string
  }
  /** Creates a payment link, or a split link if there are recipients. Throws `SandboxError` if the service refuses it. */
  createLink(fields: LinkFields): Promise<LinkView>
  /** Changes settings. Returns a new handle with the changed settings. Throws `SandboxError` if a value is rejected. */
  change(changes: AccountChanges): Promise<SandboxAccount>
  /**
   * Starts a webhook endpoint and makes it the account's `paymentEndpoint`. The endpoint is closed together with the sandbox.
   */
  receiver(options?: ReceiverOptions): Promise<Receiver>
  /** Removes everything that the account did, and restores its original settings. Returns a new handle. */
  reset(): Promise<SandboxAccount>
  /** Deletes the account, its links and its events. */
  delete(): Promise<void>
}

/** What all account handles of a sandbox share. @internal */
export interface AccountContext {
  readonly url: string
  readonly request: Request
  readonly fetch: Fetch
  readonly upstream: string | null
  /** Closes this receiver when the handle is closed. */
  readonly closeWithSandbox: (receiver: Receiver) => void
}

/** @internal */
export function createAccountHandle(context: AccountContext, view: AccountView): SandboxAccount {
  const { url, request, closeWithSandbox } = context
  const param = { id: view.id }
  const { send, ...api } = createApi(url, view.apiKey, context)
  const payments = createPayments(request, view.id)
  const toHandle = async (answer: Promise<AccountView>) => createAccountHandle(context, await answer)
  const change = (changes: AccountChanges) =>
    toHandle(request('PATCH /accounts/:id', { param, json: changes }))
  const reset = () => toHandle(request('POST /accounts/:id/reset', { param }))

  return {
    ...view,
    ...api,
    ...payments,
    ...createRecords(request, view.id),
    ...createWaits(request, view.id),
    behaviors: createBehaviors(request, view.id),
    faults: createFaults(request, view.id),
    env: { PAYLINK_URL: url, PAYLINK_API_KEY: view.apiKey, PAYLINK_USER_ID: view.id },
    createLink: async (fields) => createLink({ send }, payments.link, fields),
    change,
    async receiver(options = {}) {
      const receiver = await startReceiver(options, (address) => explainMissingWebhook(payments, address))
      closeWithSandbox(receiver)
      await change({ paymentEndpoint: receiver.url })
      return receiver
    },
    reset,
    async delete() {
      await reset()
      await request('DELETE /accounts/:id', { param })
    },
  }
}

const MAX_LISTED = 5

/** Lists the newest webhooks and their results, for the error of a receiver that received none. */
export async function explainMissingWebhook(payments: Payments, address: string): Promise<string> {
  const newest = await payments.deliveries({ limit: MAX_LISTED })
  if (newest.length === 0) return 'No webhook was sent: no payment has had an outcome that sends one.'
  const lines = newest.map((delivery) => {
    const { id, status, linkId, target, state, storedIn, heldReason, nextAttemptAt, attempts } = delivery
    const last = attempts.at(-1)
    const answer = last && ` (${last.status ?? last.error})`
    const outcome =
      storedIn === undefined
        ? `${state}${answer ?? ''}`
        : `stored in tunnel ${storedIn}, because no listener was connected`
    const more = heldReason ?? (nextAttemptAt === null ? null : `next attempt at ${nextAttemptAt}`)
    return `  #${id} ${status} of link ${linkId}, to ${target === address ? 'here' : target}: ${outcome}${more === null ? '' : `, ${more}`}`
  })
  return ['The newest webhooks:', ...lines].join('\n')
}
