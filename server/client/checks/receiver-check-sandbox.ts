import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { errorDetails } from '../../domain/api/api-error.ts'
import { bodyText } from '../../domain/http/exchange.ts'
import { describeResponse } from '../../domain/http/http-fetch.ts'
import { isLoopback } from '../../domain/network/loopback.ts'
import { createSecretFinder } from '../../domain/secrets/secret-finder.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import type { DeliveryView, EventView, LinkView } from '../../contract/views.ts'
import type { EventOf } from '../../domain/events/event.ts'
import { BUSY_PATIENCE_MS, RATE_LIMIT_PATIENCE_MS } from '../../verify/app/run/time-limit.ts'
import { CheckError } from '../../verify/app/run/check-error.ts'
import type { ApiCall, RefundCall, RefundFailure, SandboxPort } from '../../verify/app/run/sandbox-port.ts'
import type { AccountOptions, SandboxAccount } from '../account.ts'
import type { Payments } from '../payments.ts'
import { SandboxError } from '../../contract/sandbox-error.ts'
import { createFaults, type FaultOptions } from '../faults.ts'
import { followAccount } from './follow-account.ts'
import type { Request } from '../request.ts'

type CallEvent = EventOf<'api.request' | 'api.limited', EventView>

interface Dependencies {
  readonly request: Request
  readonly payments: Payments
  readonly createAccount: (options: AccountOptions) => Promise<SandboxAccount>
  readonly findAccount: (id: string) => Promise<SandboxAccount>
}

/**
 * The account for links that the check itself creates. No webhook is sent to its endpoint, which only prevents findings about a
 * missing endpoint.
 */
const CHECK_ACCOUNT: AccountOptions = { name: 'Receiver check', paymentEndpoint: '/tunnel/receiver-check' }

/** What a receiver check needs of a sandbox, provided by the control API. `close` deletes the account of the check. */
export function createSandboxPort({ request, payments, createAccount, findAccount }: Dependencies) {
  const run = randomUUID()
  let created: Promise<SandboxAccount> | undefined
  const account = (): Promise<SandboxAccount> => (created ??= createAccount(CHECK_ACCOUNT))
  /** The `seq` of the newest event when the check began. */
  let start: number | undefined
  const journals = new Map<string, ReturnType<typeof followAccount>>()
  /** The calls of `refundPayment` that were already read, by `seq`. They can be kept, because events never change. */
  const refunds = new Map<number, Promise<RefundCall>>()

  function eventsAfter(seq: number, ofAccount: string) {
    const journal = journals.get(ofAccount) ?? followAccount(request, ofAccount, start ?? seq)
    journals.set(ofAccount, journal)
    return journal(seq)
  }

  const callsAfter = async (seq: number, ofAccount: string): Promise<readonly CallEvent[]> =>
    (await eventsAfter(seq, ofAccount)).flatMap((event) => (event.type === 'link.created' ? [] : [event]))

  /** The first calls of any account after an event. */
  async function firstCallsAfter(seq: number): Promise<readonly CallEvent[]> {
    const query = { after: seq, type: 'api.request,api.limited' }
    return (await request('GET /events', { query })).events as readonly CallEvent[]
  }

  async function readCallBody(seq: number): Promise<string> {
    // The journal keeps only the newest events, so the first events of a long check may be gone.
    const event = await ignoreNotFound(request('GET /events/:seq', { param: { seq } }))
    return event?.exchange?.request.body.content ?? ''
  }

  const readRefundCall = async ({ seq, code, message }: ApiCall): Promise<RefundCall> => ({
    ...readRefund(await readCallBody(seq)),
    isAccepted: code === 1,
    isPossible: code === 1 || message === PAYMENT_UNKNOWN,
    message,
  })

  const port: SandboxPort = {
    post: (to, webhook) =>
      withCheckError(`Posting to ${to}`, KEEP_RUNNING, () =>
        request('POST /checks/probe', { json: { to, run, ...webhook } }),
      ),
    async visit(url, { cookie, ...group }) {
      const json = { to: url, method: 'GET', run, ...(cookie === '' ? {} : { cookie }), ...group } as const
      const { exchange, error } = await withCheckError(`Opening ${url}`, KEEP_RUNNING, () =>
        request('POST /checks/probe', { json }),
      )
      if (exchange.response === null) throw new Error(`${url}: ${error}`)
      const { status, headers, body } = exchange.response
      return describeResponse(status, headers, bodyText(body))
    },
    heldReason: (url, by) =>
      withCheckError(`Asking whether a check may reach ${url}`, KEEP_RUNNING, async () => {
        const query = { url, mapped: by === 'webhook' ? 'true' : 'false' } as const
        return (await request('GET /checks/reach', { query })).heldReason
      }),
    createLink: ({ amount, note }) =>
      withCheckError('Creating a payment link', REMOVE_FAULTS, async () =>
        (await account()).createLink({ amount, note }),
      ),
    newestSeq: () =>
      withCheckError('Reading the end of the journal', KEEP_RUNNING, async () => {
        const { head } = (await request('GET /info')).journal
        start ??= head
        return head
      }),
    waitForLink: (seq, ofAccount, timeoutMs, isWanted) =>
      withCheckError('Waiting for the link of an order', KEEP_RUNNING, () =>
        waitForLink(request, seq, ofAccount, timeoutMs, isWanted),
      ),
    async link(ref) {
      const link = await withCheckError(`Reading the link ${ref}`, KEEP_RUNNING, () =>
        ignoreNotFound(payments.link(ref)),
      )
      if (link === undefined) throw await unknownLink(String(ref))
      requireSameSandbox(String(ref), link.payLink)
      return link
    },
    seenAfter: (seq, ofAccount) =>
      withCheckError('Reading the journal', KEEP_RUNNING, async () => {
        const events = await eventsAfter(seq, ofAccount)
        const linkIds = events.flatMap((event) => (event.type === 'link.created' ? [event.link.id] : []))
        return {
          calls: events.flatMap((event) => (event.type === 'link.created' ? [] : [event])),
          links: await Promise.all(
            linkIds.map((link) => request('GET /links/:ref', { param: { ref: link } })),
          ),
        }
      }),
    createdLinks: (seq, ofAccount) =>
      withCheckError('Reading the journal', KEEP_RUNNING, async () =>
        (await eventsAfter(seq, ofAccount)).flatMap((event) =>
          event.type === 'link.created' ? [event.link.id] : [],
        ),
      ),
    refusalAfter: (seq, texts, ofAccount) =>
      withCheckError('Reading the journal', KEEP_RUNNING, async () => {
        const calls = ofAccount === undefined ? await firstCallsAfter(seq) : await callsAfter(seq, ofAccount)
        const refused = calls.filter(({ code }) => code === 0).slice(-MAX_CALLS_READ)
        const bodies = await Promise.all(refused.map(({ seq: call }) => readCallBody(call)))
        const own = texts.filter((text) => text !== '')
        const isOwn = (body: string): boolean =>
          own.some((text) => decodings(body).some((one) => one.includes(text)))
        const index = bodies.findLastIndex(isOwn)
        const call = refused[index]
        if (call === undefined) return undefined
        const { operation, errorCode, message } = call
        return { operation, errorCode, message, sent: bodies[index]! }
      }),
    refundCalls: (seq, ofAccount) =>
      withCheckError('Reading the journal', KEEP_RUNNING, async () => {
        const calls = (await callsAfter(seq, ofAccount)).filter(
          ({ operation }) => operation === 'refundPayment',
        )
        return Promise.all(
          calls.map((call) => {
            const refund = refunds.get(call.seq) ?? readRefundCall(call)
            refunds.set(call.seq, refund)
            return refund
          }),
        )
      }),
    resendCalls: (seq, ofAccount) =>
      withCheckError('Reading the journal', KEEP_RUNNING, async () => {
        const calls = (await callsAfter(seq, ofAccount)).filter(
          ({ operation }) => operation === 'sendWebhookViaPayId',
        )
        const bodies = await Promise.all(
          calls.slice(-MAX_CALLS_READ).map(({ seq: call }) => readCallBody(call)),
        )
        return bodies.map(readBody).map((body) => ({
          payIds: String(body.pay_ids),
          status: String(body.status),
        }))
      }),
    otherAccounts: (ofAccount) =>
      withCheckError('Reading the accounts', KEEP_RUNNING, async () => {
        const { accounts } = await request('GET /accounts', { query: { limit: MAX_OTHER_ACCOUNTS + 1 } })
        const others = accounts.filter(({ id }) => id !== ofAccount).slice(0, MAX_OTHER_ACCOUNTS)
        return Promise.all(
          others.map(async ({ id }) => {
            const { links } = await request('GET /links', { query: { account: id } })
            return { id, targets: links.flatMap(({ targets }) => targets.map(({ url }) => url)) }
          }),
        )
      }),
    keyFinder: (ofAccount) =>
      withCheckError('Reading the account', KEEP_RUNNING, async () => {
        const { apiKey, name, recipientToken } = await findAccount(ofAccount)
        return createSecretFinder([apiKey], [name.replaceAll(' ', ''), recipientToken])
      }),
    failRefund: (ofAccount, ...failures) =>
      addCallFault(request, ofAccount, {
        operation: 'refundPayment',
        script: failures.map((how) => REFUND_FAULTS[how]),
      }),
    failCalls: (ofAccount) => addCallFault(request, ofAccount, { script: ['503'], times: 'always' }),
    pay: ({ id }) =>
      withCheckError(`Paying the link ${id}`, KEEP_RUNNING, async () => {
        const { deliveries } = await payments.pay(id, { browser: 'closes' })
        await Promise.all(deliveries.map((delivery) => repeatWhileBusy(payments, delivery)))
      }),
    resend: ({ accountId, payId }) =>
      withCheckError(`Sending the webhooks of payment ${payId} again`, REMOVE_FAULTS, async () => {
        const owner = await findAccount(accountId)
        await owner.call('sendWebhookViaPayId', { pay_ids: String(payId), status: 'Success' })
        await owner.settled()
      }),
    approveRefund: ({ id, payId }) =>
      withCheckError(`Approving the refund of the link ${id}`, KEEP_RUNNING, async () => {
        const [refund] = await payments.refunds.list({ before: payId + 1, limit: 1 })
        const isRequested = refund?.payId === payId
        if (isRequested) await payments.refunds.approve(id)
        return isRequested
      }),
    delayAnswer: (ofAccount, ms, operation) =>
      addCallFault(request, ofAccount, {
        script: [`latency:${ms}ms`],
        ...(operation === undefined ? {} : { operation }),
      }),
    sendUnpaid: (ofAccount) =>
      withCheckError('Setting resendUnpaid to send', KEEP_RUNNING, async () => {
        const { behaviors: before } = await request('GET /behaviors', { query: { account: ofAccount } })
        const { chosen, value } = before.find(({ name }) => name === 'resendUnpaid')!
        const { behaviors } = await findAccount(ofAccount)
        await behaviors.set({ resendUnpaid: 'send' })
        return () =>
          withCheckError('Restoring the behavior resendUnpaid', KEEP_RUNNING, async () => {
            await behaviors.set({ resendUnpaid: chosen ? (value as 'refuse' | 'send') : null })
          })
      }),
    distinguishPayIds: (ofAccount) =>
      withCheckError('Setting payId to distinct', KEEP_RUNNING, async () => {
        const query = { account: ofAccount ?? (await account()).id }
        const { id } = await request('POST /checks/pay-ids', { query })
        return () =>
          withCheckError('Restoring the behavior payId', KEEP_RUNNING, async () => {
            await request('DELETE /checks/pay-ids/:id', { param: { id }, query })
          })
      }),
  }
  const unknownLink = async (ref: string): Promise<CheckError> => {
    const { url } = await request('GET /info')
    return new CheckError(
      `Nothing was checked, because your app shows the link ${ref}, which this sandbox has not created. Point your app at ${url}, or pass --sandbox with the address of the sandbox that your app uses.`,
    )
  }
  return {
    ...port,
    async close(): Promise<void> {
      const createdAccount = await created?.catch(() => undefined)
      if (createdAccount === undefined) return
      await withCheckError('Removing the account of the check', `Remove ${createdAccount.id} yourself.`, () =>
        ignoreNotFound(createdAccount.delete()),
      )
    },
  }
}

/** How the service refuses the refund of a payment that nobody has made there. It looks at the amount only afterwards. */
const PAYMENT_UNKNOWN = errorDetails('linkUnknown').message

const REFUND_FAULTS: Readonly<Record<RefundFailure, string>> = {
  refusal: 'refuse:Refunds are closed for maintenance',
  'web page': 'html:before',
  'lost call': 'drop-request',
  'lost answer': 'reset',
}

const REPETITION_PAUSE_MS = 300

/** Statuses that mean that the app is busy with another webhook, or gets too many. */
const BUSY: ReadonlySet<unknown> = new Set([409, 423, 425, 429, 503])
const MIN_REPETITIONS = 5

/**
 * Sends a webhook again while the app is busy, because the check sends more webhooks at once than the app may accept. The service
 * would also send it again.
 */
async function repeatWhileBusy(payments: Payments, delivery: DeliveryView): Promise<void> {
  const started = performance.now()
  let latest = delivery
  for (let repetition = 1; ; repetition += 1) {
    const status = latest.attempts.at(-1)?.status
    const patienceMs = status === 429 ? RATE_LIMIT_PATIENCE_MS : BUSY_PATIENCE_MS
    const isPatient = repetition <= MIN_REPETITIONS || performance.now() - started < patienceMs
    if (!isPatient || !BUSY.has(status)) return
    // The pause is random, because other cases also send to the app.
    await pause(REPETITION_PAUSE_MS * (1 + Math.random()))
    latest = await payments.replay(latest)
  }
}

export const KEEP_RUNNING = 'Keep the sandbox running, and do not reset it before the check ends.'

const REMOVE_FAULTS =
  'Remove faults and a rateLimit that apply to every account, because they also affect the calls of the check. Do not reset the sandbox before the check ends.'

/** Throws if a pay link was created by another sandbox of this machine. Every new sandbox uses the same ids. */
function requireSameSandbox(shown: string, own: string): void {
  if (!isLoopback(shown) || !isLoopback(own)) return
  const [theirs, ours] = [new URL(shown), new URL(own)]
  if (theirs.port === ours.port) return
  throw new CheckError(
    `Nothing was checked, because your app shows the pay link ${shown} of another sandbox, and this check uses ${ours.origin}. Pass --sandbox ${theirs.origin}, or point your app at ${ours.origin}.`,
  )
}

export async function withCheckError<Answer>(
  action: string,
  advice: string,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CheckError) throw error
    throw new CheckError(`The check ended early. ${action} failed: ${reasonOf(error)}. ${advice}`)
  }
}

/** `undefined` if there is no such item, because after a reset nothing of the check exists. */
async function ignoreNotFound<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof SandboxError && error.status === 404)) throw error
    return undefined
  }
}

/** The body of a call, decoded as JSON, and then also as a form or URL. */
function decodings(body: string): readonly string[] {
  const values: string[] = []
  try {
    JSON.parse(body, (_name, value: unknown) => values.push(String(value)))
  } catch {
    values.push(body)
  }
  const text = values.join('\n')
  const decoded = text.replaceAll('+', ' ').replace(/(?:%[\da-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })
  return [text, decoded]
}

function readRefund(body: string): Pick<RefundCall, 'payId' | 'amount'> {
  const { pay_id: payId, refund_amount: amount } = readBody(body)
  return { payId: Number(payId), amount: Number(amount) }
}

function readBody(body: string): Record<string, unknown> {
  try {
    return (JSON.parse(body) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}

const MAX_OTHER_ACCOUNTS = 5

/** Reading more calls would not prove more. */
const MAX_CALLS_READ = 100

/** Adds a fault for the calls of an account. Returns a function that removes it. */
export const addCallFault = (
  request: Request,
  account: string,
  options: Omit<FaultOptions, 'on'>,
): Promise<() => Promise<void>> =>
  withCheckError('Adding a fault', KEEP_RUNNING, async () => {
    const faults = createFaults(request, account)
    const fault = await faults.add({ on: 'api', ...options })
    return () => withCheckError('Removing the fault', KEEP_RUNNING, () => faults.remove(fault))
  })

async function waitForLink(
  request: Request,
  after: number,
  account: string | undefined,
  timeoutMs: number,
  isWanted: (link: LinkView) => boolean = () => true,
): Promise<LinkView | undefined> {
  const end = performance.now() + timeoutMs
  type LinkCreatedEvent = EventOf<'link.created', EventView>
  try {
    for (let seq = after; ;) {
      const json = {
        match: { type: 'link.created' },
        after: seq,
        timeoutMs: Math.max(0, Math.round(end - performance.now())),
        ...(account === undefined ? {} : { account }),
      }
      const { events } = await request('POST /events/wait', { json })
      const [created] = events as readonly LinkCreatedEvent[]
      if (created === undefined) return undefined
      // Reads the URL from the link, because events hide the passwords in URLs, and the check sends to this URL.
      const link = await request('GET /links/:ref', { param: { ref: created.link.id } })
      if (isWanted(link)) return link
      seq = created.seq
    }
  } catch (error) {
    if (error instanceof SandboxError && error.status === 408) return undefined
    throw error
  }
}
