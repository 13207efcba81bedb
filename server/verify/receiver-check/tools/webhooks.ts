import { setTimeout as pause } from 'node:timers/promises'
import type { CheckedOrder, Probe } from '../../../contract/checks/check.ts'
import { findHeader } from '../../../domain/http/exchange.ts'
import { statusAndText } from '../../mistakes/find-mistakes.ts'
import { waitMsOf } from '../../app/orders/pace.ts'
import { requestPatiently } from '../../app/orders/request-app.ts'
import { CheckError } from '../../app/run/check-error.ts'
import { RATE_LIMIT_PATIENCE_MS } from '../../app/run/time-limit.ts'
import { checkAnswer, isBusy, isOverloaded, isUnaccepted } from '../../app/state/check-answer-and-order.ts'
import type { ExpectedAnswer, WebhookVariant } from '../../app/webhooks/webhook-variant.ts'
import { unknownPayIdOf } from '../../app/webhooks/write-webhook.ts'
import type { CaseContext } from '../case-context.ts'
import { CaseFailure } from '../case-failure.ts'
import type { Participant } from '../webhooks/meeting.ts'
import { send, targetsOf } from '../webhooks/send.ts'

/** A refused copy is sent again at least this often, and until the time limit of the app has passed. */
const MIN_REPETITIONS = 5
const REPETITION_PAUSE_MS = 100

/** The header and the body of the response to a webhook, and the address that sent it. */
export interface WebhookAnswer {
  readonly url: string
  readonly text: string
  readonly probe?: Probe
}

/** Sends webhooks, and pays links. */
export function createWebhookTools(context: CaseContext, name: string, meeting: Participant) {
  const { options, receiver, sandbox } = context
  const { assertAnswer, repeatWhileBusy, lastAnswer } = createAnswers(context, name)

  const withEncoding = async (variant: WebhookVariant): Promise<WebhookVariant> => ({
    ...variant,
    encoding: variant.encoding ?? (await context.acceptedEncoding.detect()) ?? 'form',
  })

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
    const count = targetsOf(receiver, order, variant).length * copies
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

  /** Sends two webhooks at the same moment. The app may refuse one of them, which is then sent again. */
  async function postTogether(
    webhooks: readonly { readonly order: CheckedOrder; readonly variant: WebhookVariant }[],
    answer: ExpectedAnswer,
  ): Promise<void> {
    const targets = webhooks.flatMap(({ order }) => targetsOf(receiver, order, {}))
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
    const urls = targetsOf(receiver, order, { ...variant, isInQuery: true })
    const answers = await Promise.allSettled(urls.map((url) => requestPatiently(url, undefined, options)))
    return answers.map((answer, index) => ({
      url: urls[index]!,
      text: answer.status === 'fulfilled' ? `${answer.value.headerLines}\n${answer.value.text}` : '',
    }))
  }

  return { post, pay, canPayAtSandbox, tryPost, postAndHangUp, postTogether, getWebhook, lastAnswer }
}

/** Checks the answers to webhooks, and sends webhooks again while the app is busy. */
function createAnswers(context: CaseContext, name: string) {
  /** The newest answer to a webhook, and the newest one of each link. */
  let last: Probe | undefined
  const lastOfLinks = new Map<number, Probe>()

  function assertAnswer(answer: ExpectedAnswer, probe: Probe, order: CheckedOrder): void {
    last = probe
    lastOfLinks.set(order.id, probe)
    const problem = checkAnswer(answer, probe, { isStateKnown: context.watch !== undefined })
    if (problem !== undefined) throw new CaseFailure(problem, order, probe)
    context.unreachableSince = undefined
  }

  async function repeatWhileBusy(
    order: CheckedOrder,
    variant: WebhookVariant,
    answer: ExpectedAnswer = 'accepted',
  ): Promise<readonly Probe[]> {
    const started = performance.now()
    let askedMs = 0
    for (let repetition = 1; ; repetition += 1) {
      // The pause is random, because other cases wait for the same app.
      const pauseMs = REPETITION_PAUSE_MS * Math.min(repetition, MIN_REPETITIONS) * (1 + Math.random())
      await pause(Math.max(pauseMs, askedMs), undefined, { signal: context.options.signal })
      const probes = await send(context, { order, check: name }, variant)
      const limited = probes.filter(({ status }) => status === 429)
      const isLimited = limited.length > 0
      askedMs = Math.max(0, ...limited.map(retryAfterOf))
      const patienceMs = isLimited ? RATE_LIMIT_PATIENCE_MS : context.patience.fullMs
      const isPatient =
        (repetition < MIN_REPETITIONS && !isLimited) || performance.now() - started < patienceMs
      if (isPatient && probes.some(isBusy)) continue
      if (isLimited && context.acceptedEncoding.known() === undefined) throw onlyLimited(probes)
      const mayRefuse = await waitsForRefund(context, order)
      for (const probe of probes) if (!(mayRefuse && isBusy(probe))) assertAnswer(answer, probe, order)
      return probes
    }
  }

  const lastAnswer = (order?: CheckedOrder): Probe | undefined =>
    order === undefined ? last : lastOfLinks.get(order.id)

  return { assertAnswer, repeatWhileBusy, lastAnswer }
}

/** How long an app that limits its requests asks to wait. A request that comes earlier may make this time longer. */
const retryAfterOf = ({ exchange }: Probe): number =>
  waitMsOf(findHeader(exchange.response?.headers ?? [], 'retry-after')) ?? 0

/**
 * Whether the app has requested a refund of an order, and the service has refused every request. The service does not know
 * payments that the check makes up, so the app may refuse the webhook until a refund is accepted.
 */
async function waitsForRefund(context: CaseContext, order: CheckedOrder): Promise<boolean> {
  const { orders, sandbox, startSeq } = context
  if (!orders.appMakesOrders) return false
  const payIds = [order.payId, unknownPayIdOf(order)]
  const calls = await sandbox.refundCalls(startSeq, order.accountId)
  const ofOrder = calls.filter(({ payId }) => payIds.includes(payId))
  return ofOrder.length > 0 && !ofOrder.some(({ isAccepted }) => isAccepted)
}

/** Ends a check whose webhooks were all refused by a rate limit. */
function onlyLimited(probes: readonly Probe[]): CheckError {
  const { exchange } = probes.find(({ status }) => status === 429)!
  return new CheckError(
    `Nothing was checked, because ${exchange.request.url} answered ${statusAndText(exchange)} to every webhook for ${RATE_LIMIT_PATIENCE_MS / 1000} s. Raise the rate limit of this route, or switch it off for the check.`,
  )
}
