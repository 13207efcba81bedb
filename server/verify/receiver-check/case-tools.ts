import { RATE_LIMIT_PATIENCE_MS } from '../app/run/time-limit.ts'
import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder, Fact, Probe } from '../../contract/checks/check.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { formatAmount } from '../../contract/format/values.ts'
import { redirectLocation } from '../../domain/webhooks/redirect.ts'
import type { PaymentOutcome } from '../../domain/webhooks/webhook.ts'
import { statusAndText } from '../mistakes/find-mistakes.ts'
import { receiverRemedies } from '../mistakes/remedies.ts'
import type { CaseContext } from './case-context.ts'
import { CaseFailure } from './case-failure.ts'
import { CheckError } from '../app/run/check-error.ts'
import { late, type SeenProblem } from '../app/run/failure.ts'
import {
  isBusy,
  isOverloaded,
  isUnaccepted,
  checkAnswer,
  checkFinalOrder,
  unreadableOrder,
} from '../app/state/check-answer-and-order.ts'
import type { OrderOfCase } from './orders/make-orders.ts'
import { createMeeting, type Participant } from './webhooks/meeting.ts'
import { needCallback, NO_STATE, NotPossibleError } from '../app/run/not-possible.ts'
import { type PageAnswer, isEmptyPage, openPage, refererOf, returnPageOf } from '../app/orders/open-page.ts'
import { requestPatiently } from '../app/orders/request-app.ts'
import { asked, type RefundCall } from '../app/run/sandbox-port.ts'
import { send, targetsOf } from './webhooks/send.ts'
import { type ReadState, stateUrlOf } from '../app/state/read-order-state.ts'
import type { ObservedState, OrderWatch } from '../app/state/watch-order.ts'
import type { ExpectedAnswer, WebhookVariant } from '../app/webhooks/webhook-variant.ts'
import { unknownPayIdOf } from '../app/webhooks/write-webhook.ts'

const TABS = 4

const PAGE_POLL_MS = 100

const OTHER_ORDER = 'another order'

/** Cases that need another order within this time share one. Until that order is made, further cases share it as well. */
const SHARING_MS = 20

/** A refused copy is sent again at least this often, and until the time limit of the app has passed. */
const MIN_REPETITIONS = 5
const REPETITION_PAUSE_MS = 100

/** How often the refund button is clicked again if the app has requested no refund. */
const FURTHER_CLICKS = 2

/** What the service does not like about a refund that the app requests. */
export const refundRefusal = (
  { amount, message }: RefundCall,
  { amount: paid }: Pick<CheckedOrder, 'amount'>,
): Fact => ({
  title: `The service refuses a refund that your app requests: "${message}"`,
  remedy: `Your app requested ${asked(amount)} of a payment of ${formatAmount(paid)}. ${receiverRemedies['refund-call-refused']}`,
})

const CLICK_IGNORED: Fact = {
  title: 'Your app ignores a click on the refund button, and requests the refund at a later one',
  remedy:
    'At the same time, refunds of other orders were underway. If your app requests one refund at a time, let the next one wait, or lock only the order that is refunded.',
}

const NO_PARTS =
  'your app refuses to refund a part of an order: if it makes only full refunds, leave {refundAmount} out of --refund-url'

/** Ends a check whose webhooks were all refused by a rate limit. */
function onlyLimited(probes: readonly Probe[]): CheckError {
  const { exchange } = probes.find(({ status }) => status === 429)!
  return new CheckError(
    `Nothing was checked, because ${exchange.request.url} answered ${statusAndText(exchange)} to every webhook for ${RATE_LIMIT_PATIENCE_MS / 1000} s. Raise the rate limit of this route, or switch it off for the check.`,
  )
}

/** The actions and checks of cases. */
export function createTools(
  context: CaseContext,
  { name, orRefunded }: { readonly name: string; readonly orRefunded?: true | undefined },
  meeting: Participant = createMeeting(1)[0]!,
) {
  const { watch, sandbox, options, orders } = context
  const { signal } = options
  const isStateKnown = watch !== undefined
  /** The newest answer to a webhook, and the newest one of each link. */
  let last: Probe | undefined
  const lastOfLinks = new Map<number, Probe>()

  const withEncoding = async (variant: WebhookVariant): Promise<WebhookVariant> => ({
    ...variant,
    encoding: variant.encoding ?? (await context.acceptedEncoding.detect()) ?? 'form',
  })

  function assertAnswer(answer: ExpectedAnswer, probe: Probe, order: CheckedOrder): void {
    last = probe
    lastOfLinks.set(order.id, probe)
    const problem = checkAnswer(answer, probe, { isStateKnown })
    if (problem !== undefined) throw new CaseFailure(problem, order, probe)
    context.unreachableSince = undefined
  }

  /** Sends a webhook, checks the responses, and returns them. */
  async function post(
    order: CheckedOrder,
    variant: WebhookVariant = {},
    answer: ExpectedAnswer = 'accepted',
    together?: Participant,
  ): Promise<readonly Probe[]> {
    const encoded = await withEncoding(variant)
    if (variant.status === 'cancel') context.cancelledLinks.add(order.id)
    const { copies = 1 } = variant
    const count = targetsOf(context.receiver, order, variant).length * copies
    const participant = together ?? (copies === 1 ? undefined : meeting)
    const atOnce = await participant?.join(count)
    const probes = await send(context, { order, check: name, atOnce }, encoded)
    if (participant === undefined && answer === 'accepted') {
      context.answers.good += probes.length
      context.answers.postponed += probes.filter(({ status }) => status === 503).length
    }
    const isLost = (probe: Probe): boolean => atOnce !== undefined && isUnaccepted(probe)
    if (copies === 1) {
      // Sends the webhook again while the app is busy, as the service would. The check sends many webhooks per second, and the
      // app may accept fewer.
      const isRepeated = answer === 'accepted' ? isBusy : isOverloaded
      if (probes.some((probe) => isRepeated(probe) || isLost(probe)))
        return repeatWhileBusy(order, encoded, answer)
      for (const probe of probes) assertAnswer(answer, probe, order)
      return probes
    }
    // While the app handles one copy, it may refuse the others. A service with retries sends them again.
    const isRefused = (probe: Probe): boolean => isBusy(probe) || isLost(probe)
    const refused = probes.filter(isRefused)
    for (const probe of probes) if (!isRefused(probe)) assertAnswer(answer, probe, order)
    return refused.length > 0 ? repeatWhileBusy(order, { ...encoded, copies: 1 }) : probes
  }

  /**
   * Pays a link at the sandbox, because the service refunds only payments that were made there. If the link has no target, only
   * sends a webhook.
   */
  async function pay(order: CheckedOrder): Promise<void> {
    if (await canPayAtSandbox(order)) await sandbox.pay(order)
    else await post(order)
  }

  /** Whether `pay` makes a real payment, which the sandbox can refund. */
  const canPayAtSandbox = async ({ targets }: CheckedOrder): Promise<boolean> =>
    targets.length > 0 && (await context.acceptedEncoding.detect()) !== 'json'

  /** Sends a webhook that the app may refuse. Returns whether the app accepts it. */
  async function tryPost(order: CheckedOrder): Promise<boolean> {
    const probes = await send(context, { order, check: name }, await withEncoding({}))
    return probes.every((probe) => checkAnswer('accepted', probe, { isStateKnown: true }) === undefined)
  }

  /** Sends a webhook, and closes the connection in the middle of the body, or some milliseconds after its end. */
  async function postAndHangUp(order: CheckedOrder, hangUp: 'body' | number): Promise<void> {
    await send(context, { order, check: name, hangUp }, await withEncoding({}))
  }

  async function repeatWhileBusy(
    order: CheckedOrder,
    variant: WebhookVariant,
    answer: ExpectedAnswer = 'accepted',
  ): Promise<readonly Probe[]> {
    const started = performance.now()
    for (let repetition = 1; ; repetition += 1) {
      // The pause is random, because other cases wait for the same app.
      await pause(
        REPETITION_PAUSE_MS * Math.min(repetition, MIN_REPETITIONS) * (1 + Math.random()),
        undefined,
        { signal },
      )
      const probes = await send(context, { order, check: name }, variant)
      const isLimited = probes.some(({ status }) => status === 429)
      const patienceMs = isLimited ? RATE_LIMIT_PATIENCE_MS : context.timeoutMs
      const isPatient = repetition < MIN_REPETITIONS || performance.now() - started < patienceMs
      if (isPatient && probes.some(isBusy)) continue
      if (isLimited && context.acceptedEncoding.known() === undefined) throw onlyLimited(probes)
      const mayRefuse = await waitsForRefund(order)
      for (const probe of probes) if (!(mayRefuse && isBusy(probe))) assertAnswer(answer, probe, order)
      return probes
    }
  }

  /**
   * Whether the app has requested a refund of an order, and the service has refused every request. The service does not know
   * payments that the check makes up, so the app may refuse the webhook until a refund is accepted.
   */
  async function waitsForRefund(order: CheckedOrder): Promise<boolean> {
    if (!orders.appMakesOrders) return false
    const payIds = [order.payId, unknownPayIdOf(order)]
    const calls = await sandbox.refundCalls(context.startSeq, order.accountId)
    const ofOrder = calls.filter(({ payId }) => payIds.includes(payId))
    return ofOrder.length > 0 && !ofOrder.some(({ isAccepted }) => isAccepted)
  }

  /** Sends two webhooks at the same moment. The app may refuse one of them, which is then sent again. */
  async function postTogether(
    webhooks: readonly { readonly order: CheckedOrder; readonly variant: WebhookVariant }[],
    answer: ExpectedAnswer,
  ): Promise<void> {
    const targets = webhooks.flatMap(({ order }) => targetsOf(context.receiver, order, {}))
    for (const { order, variant } of webhooks)
      if (variant.status === 'cancel') context.cancelledLinks.add(order.id)
    const atOnce = await meeting.join(targets.length)
    const sent = await Promise.all(
      // The sequence is random, because some races occur in only one of the two.
      (Math.random() < 0.5 ? webhooks : webhooks.toReversed()).map(async ({ order, variant }) => {
        const encoded = await withEncoding(variant)
        return { order, encoded, probes: await send(context, { order, check: name, atOnce }, encoded) }
      }),
    )
    for (const { order, encoded, probes } of sent) {
      if (probes.some(isBusy)) await repeatWhileBusy(order, encoded, answer)
      else for (const probe of probes) assertAnswer(answer, probe, order)
    }
  }

  /** Sends a GET with the fields of a webhook in its URL. The status of the response does not matter. */
  async function getWebhook(
    order: CheckedOrder,
    variant: WebhookVariant = {},
  ): Promise<readonly WebhookAnswer[]> {
    const urls = targetsOf(context.receiver, order, { ...variant, isInQuery: true })
    const answers = await Promise.allSettled(urls.map((url) => requestPatiently(url, undefined, options)))
    return answers.map((answer, index) => ({
      url: urls[index]!,
      text: answer.status === 'fulfilled' ? `${answer.value.headerLines}\n${answer.value.text}` : '',
    }))
  }

  /** Opens the page that the customer's browser is redirected to. Checks that it works. */
  async function browse(
    order: CheckedOrder,
    status: PaymentOutcome | 'none',
    together?: Participant,
  ): Promise<PageAnswer> {
    const page = returnPageOf(order)
    needCallback(page)
    if (status === 'cancel' || context.cancelledLinks.has(order.id)) context.revisitedLinks.add(order.id)
    const url = status === 'none' ? page : redirectLocation(page, order.payId, status)
    const answer = await openPage({ options, shown: context.shown }, url, {
      cookies: orders.cookiesOf(order),
      isPatient: true,
      firstRequest:
        together &&
        (async (cookie) => sandbox.visit(url, { check: name, cookie, atOnce: await together.join(1) })),
      referer: refererOf(order),
    })
    const seen = answer.error ?? `the page that the customer returned to answered ${answer.status}: ${url}`
    const problem = answer.isRedirectLoop ? 'redirect-loop' : 'page-fails'
    const failure = { problem, seen, ...late(answer.isLate === true) } as const
    if (answer.error !== null || answer.status >= 500) throw new CaseFailure(failure, order)
    return answer
  }

  /** Several tabs load the page at the same moment. Returns the page of the first tab. */
  async function browseInTabs(order: CheckedOrder, status: PaymentOutcome | 'none'): Promise<PageAnswer> {
    const atOnce = await meeting.join(TABS)
    const tab: Participant = { join: async () => atOnce, leave() {} }
    const pages = await Promise.all(Array.from({ length: TABS }, () => browse(order, status, tab)))
    return pages[0]!
  }

  const needWatch = (): OrderWatch => {
    if (watch === undefined) throw new NotPossibleError(NO_STATE, 'option')
    return watch
  }

  /** The state of an order. Throws if it cannot be read, because otherwise a case would pass without having checked anything. */
  const read = async (order: CheckedOrder): Promise<ReadState> =>
    known(await needWatch().readPatiently(order), order)

  /** Waits for a state of an order, and returns the last state. */
  const waitForState = async (
    order: CheckedOrder,
    isWanted: (state: ReadState) => boolean,
    limitMs?: number,
  ): Promise<ReadState> => {
    const seen = await needWatch().waitUntil(order, isWanted, limitMs)
    return 'unknown' in seen ? read(order) : seen
  }

  async function refundsOf({
    accountId,
    payId,
  }: Pick<CheckedOrder, 'accountId' | 'payId'>): Promise<readonly RefundCall[]> {
    return (await sandbox.refundCalls(context.startSeq, accountId)).filter((call) => call.payId === payId)
  }

  /** Whether the app has requested a refund of the whole payment, by a call that the service does not refuse. */
  async function isRefunded(order: CheckedOrder): Promise<boolean> {
    return (await refundsOf(order)).some(({ amount, isPossible }) => isPossible && amount >= order.amount)
  }

  const isRefundAccepted = async (order: CheckedOrder): Promise<boolean> =>
    (await refundsOf(order)).some(({ isAccepted }) => isAccepted)

  const waitForRefund = (order: CheckedOrder, limitMs?: number): Promise<boolean> =>
    waitUntil(async () => (await refundsOf(order)).length > 0, limitMs)

  /** Throws if the app has requested a refund of one of an order's payments, and the service refuses each of these calls. */
  async function expectPossibleRefund(
    payments: readonly CheckedOrder[],
    isGood: (call: RefundCall) => boolean = ({ isPossible }) => isPossible,
  ): Promise<void> {
    if (!orders.appMakesOrders) return
    const readCalls = async (): Promise<readonly RefundCall[]> =>
      (await Promise.all(payments.map(refundsOf))).flat()
    const [first] = await readCalls()
    if (first === undefined || (await waitUntil(async () => (await readCalls()).some(isGood)))) return
    const seen = `the app called refundPayment for one of the two payments of an order, and the service refused the call: "${first.message}"`
    const paid = payments.find(({ payId }) => payId === first.payId) ?? payments[0]!
    throw new CaseFailure({ problem: 'wrong-refund', seen, fact: refundRefusal(first, paid) }, payments[0]!)
  }

  /**
   * Whether the app has recorded the payment of a cancelled order, and has given the order a special state, so that the staff can
   * decide what to do.
   */
  async function isInReview(order: CheckedOrder, state: ObservedState): Promise<boolean> {
    const { cancelledValue } = options
    if ('unknown' in state || state.paid || (state.received ?? 0) < order.amount) return false
    if (cancelledValue === undefined || state.value === cancelledValue) return false
    if (!context.cancelledLinks.has(order.id) || context.untouched === undefined) return false
    return (await read(context.untouched)).value !== state.value
  }

  const isRefundedOrInReview = async (order: CheckedOrder, state?: ObservedState): Promise<boolean> =>
    (await isRefunded(order)) || (await isInReview(order, state ?? (await read(order))))

  /** Waits until the order is paid once, or refunded or in review if the case allows that. */
  async function expectPaid(
    order: CheckedOrder,
    wasPaid = false,
    timeoutMs = context.timeoutMs,
  ): Promise<void> {
    if (watch === undefined) return
    let refunded = false
    const seen = await watch.waitUntil(
      order,
      async (state) => {
        if (state.paid && state.counts.every(({ value }) => value !== 0)) return true
        refunded = orRefunded === true && (await isRefundedOrInReview(order, state))
        return refunded
      },
      timeoutMs,
    )
    const source = { ...watch.source(order), timeoutMs }
    const problem = refunded ? undefined : checkFinalOrder('paid', seen, source, wasPaid)
    if (problem !== undefined) throw new CaseFailure(problem, order)
  }

  /** Throws if the order is now in a different state. */
  async function expectNow(
    order: CheckedOrder,
    state: 'paid-once' | 'unpaid',
    wasPaid = false,
  ): Promise<void> {
    const problem =
      watch && checkFinalOrder(state, await watch.readPatiently(order), watch.source(order), wasPaid)
    if (problem !== undefined) throw new CaseFailure(problem, order)
  }

  /** Throws if the app has requested a refund of a payment without a reason. */
  async function expectNoRefund(order: CheckedOrder): Promise<void> {
    if (!orders.appMakesOrders) return
    const [call] = await refundsOf(order)
    if (call === undefined) return
    const seen = `the app requested a refund of ${asked(call.amount)}, and nobody had asked for one`
    throw new CaseFailure({ problem: 'unasked-refund', seen }, order)
  }

  /** Throws if the app has requested several refunds of a payment. It may repeat a request until the service accepts it. */
  async function expectOneRefund(order: CheckedOrder): Promise<void> {
    const calls = await refundsOf(order)
    const accepted = calls.findIndex(({ isAccepted }) => isAccepted)
    if (accepted === -1 || accepted === calls.length - 1) return
    const seen = `the app called refundPayment ${calls.length} times for one payment, after its webhook came again`
    throw new CaseFailure({ problem: 'refund-repeated', seen }, order)
  }

  /**
   * Waits until the app has had time to handle what was sent. A fixed pause would not be enough, so a good webhook for a
   * different order is sent: when that order is paid, the app has handled the earlier webhooks. Cases that wait at the same
   * moment share the order.
   */
  async function waitForOtherOrder(): Promise<void> {
    if (watch === undefined || (await context.acceptedEncoding.detect()) === undefined) return
    context.otherOrder ??= pause(SHARING_MS, undefined, { signal }).then(() => payOtherOrder(watch))
    await context.otherOrder
  }

  async function payOtherOrder(itsWatch: OrderWatch): Promise<void> {
    // Other cases that wait at the same time share this order, because its webhook is sent later.
    const other = await orders.make({ name: OTHER_ORDER }).finally(() => (context.otherOrder = undefined))
    try {
      await createTools(context, { name: OTHER_ORDER }).post(other)
      const seen = await itsWatch.waitUntilPaid(other)
      const problem = checkFinalOrder('paid', seen, itsWatch.source(other))
      if (problem !== undefined) throw new CaseFailure(problem, other)
    } catch (error) {
      if (!(error instanceof CaseFailure)) throw error
      const seen = `a good webhook for another order, sent afterwards, failed: ${error.seenProblem.seen}`
      throw new CaseFailure({ ...error.seenProblem, seen, isOtherOrder: true }, other)
    }
  }

  /** Polls until a condition is true, but no longer than the app may take. */
  async function waitUntil(isTrue: () => Promise<boolean>, limitMs = context.timeoutMs): Promise<boolean> {
    const end = performance.now() + limitMs
    for (;;) {
      if (await isTrue()) return true
      if (performance.now() >= end) return false
      await pause(PAGE_POLL_MS, undefined, { signal })
    }
  }

  /** Asks the app to refund an order, completely or in part. Throws if it gives no answer, or an error. */
  async function requestRefund(order: CheckedOrder, euros?: number): Promise<void> {
    const url = refundUrlOf(options, order, euros)
    const { status, location, text } = await requestPatiently(url, '', options).catch((error: unknown) => {
      throw new CaseFailure(noRefund(reasonOf(error)), order)
    })
    context.shown.add('the answer to a refund', text)
    const refused = status < 400 ? undefined : await refusedRefundOf(order)
    if (refused !== undefined) throw refused
    if (status === 307 || status === 308) {
      throw new CaseFailure(
        noRefund(`${url} answered ${status}, a redirect to ${location ?? 'nothing'}. Correct --refund-url`),
        order,
      )
    }
    if (status >= 500) throw new CaseFailure(noRefund(`${url} answered ${status}`), order)
    if (status >= 400 && euros !== undefined && euros > 0 && euros < order.amount)
      throw new NotPossibleError(NO_PARTS, 'option', `${url} answered ${status}`)
    if (status >= 400)
      throw new CaseFailure(noRefund(`${url} answered ${status}. Correct --refund-url`), order)
  }

  /** The failure of an app whose calls for the refund of a payment were all refused. `undefined` if there is no such call. */
  async function refusedRefundOf(order: CheckedOrder): Promise<CaseFailure | undefined> {
    const calls = await refundsOf(order)
    const [first] = calls
    if (first === undefined || calls.some(({ isAccepted }) => isAccepted)) return undefined
    const seen = `the app requested a refund of ${asked(first.amount)} for the payment of ${formatAmount(order.amount)}, and the service refused it: "${first.message}"`
    return new CaseFailure({ problem: 'refund-call-refused', seen, fact: refundRefusal(first, order) }, order)
  }

  /** Why no call of the app refunds the payment of an order, although a refund was asked for. */
  async function missingRefund(order: CheckedOrder): Promise<CaseFailure> {
    const calls = await sandbox.refundCalls(context.startSeq, order.accountId)
    const nameless = calls.find(({ payId, isAccepted }) => !isAccepted && !Number.isInteger(payId))
    if (nameless === undefined) {
      const seen =
        'the app was asked for a refund, and did not call refundPayment for the payment of the order'
      return new CaseFailure({ problem: 'no-refund', seen, ...(await ignoredClick(order)) }, order)
    }
    const seen = `the app called refundPayment without the pay_id of a payment, and the service refused the call: "${nameless.message}"`
    return new CaseFailure({ problem: 'wrong-refund', seen }, order)
  }

  /** After a refund that the app did not request, clicks again. Says so if the app requests it now. */
  async function ignoredClick(order: CheckedOrder): Promise<Pick<SeenProblem, 'fact'>> {
    const { length } = await refundsOf(order)
    for (let click = 0; click < FURTHER_CLICKS; click += 1) {
      await tryRefund(order)
      if (await waitUntil(async () => (await refundsOf(order)).length > length))
        return { fact: CLICK_IGNORED }
    }
    return {}
  }

  /** Requests a refund that the app may refuse. */
  async function tryRefund(order: CheckedOrder, euros?: number): Promise<void> {
    await requestRefund(order, euros).catch((error: unknown) => {
      if (!(error instanceof CaseFailure || error instanceof NotPossibleError)) throw error
    })
  }

  return {
    name,
    context,
    sandbox,
    orders,
    post,
    pay,
    canPayAtSandbox,
    tryPost,
    postAndHangUp,
    postTogether,
    getWebhook,
    browse,
    browseInTabs,
    assertPage,
    needWatch,
    read,
    waitForState,
    refundsOf,
    isRefunded,
    expectPossibleRefund,
    isInReview,
    isRefundedOrInReview,
    expectPaid,
    expectNow,
    expectNoRefund,
    expectOneRefund,
    waitForOtherOrder,
    waitUntil,
    requestRefund,
    missingRefund,
    refusedRefundOf,
    ignoredClick,
    isRefundAccepted,
    waitForRefund,
    tryRefund,
    make: (wanted: Omit<OrderOfCase, 'name'> = {}): Promise<CheckedOrder> => orders.make({ name, ...wanted }),
    /** The `seq` of the newest event. Later, the calls after it can be listed. */
    now: (): Promise<number> => sandbox.newestSeq(),
    lastAnswer: (order?: CheckedOrder): Probe | undefined =>
      order === undefined ? last : lastOfLinks.get(order.id),
  }
}

/** The address at which the app refunds an order, completely or in part. */
export const refundUrlOf = (
  { refundUrl = '' }: CaseContext['options'],
  order: CheckedOrder,
  euros = order.amount,
): string => stateUrlOf(refundUrl.replaceAll('{refundAmount}', String(euros)), order)

/** The header and the body of the response to a webhook, and the address that sent it. */
export interface WebhookAnswer {
  readonly url: string
  readonly text: string
  readonly probe?: Probe
}

export type CaseTools = ReturnType<typeof createTools>

function known(seen: ObservedState, order: CheckedOrder): ReadState {
  if ('unknown' in seen) throw new CaseFailure(unreadableOrder(seen), order)
  return seen
}

/** Throws if the page for a customer who has paid does not work. `visit` says how the customer loaded it. */
function assertPage(order: CheckedOrder, answer: PageAnswer, visit = ''): void {
  const { status, url } = answer
  if (status < 400 && !isEmptyPage(answer)) return
  const page = status < 400 ? `is empty (${status})` : `answered ${status}`
  const seen = `after the payment, the page that the customer returned to ${page}${visit}: ${url}`
  throw new CaseFailure({ problem: 'page-fails', seen }, order)
}

const noRefund = (seen: string): SeenProblem => ({
  problem: 'no-refund',
  seen: `no refund could be requested: ${seen}`,
})
