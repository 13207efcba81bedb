import {
  receiverProblems,
  type CheckedOrder,
  type CheckReport,
  type CheckResult,
  type Probe,
} from '../../contract/checks/check.ts'
import { ORDER_STATE_TIMEOUT_MS } from '../../contract/checks/check-times.ts'
import { isListening, startApp } from './app-process.ts'
import { createAppSpeed } from './app-speed.ts'
import { createAcceptedEncoding } from './accepted-encoding.ts'
import type { CheckCase } from './check-case.ts'
import { CheckError } from './check-error.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { plural } from '../../contract/format/values.ts'
import { checkCases } from './cases.ts'
import { findAdvice } from './find-advice.ts'
import { explainEqualAmounts } from './explain-equal-amounts.ts'
import { explainForgotten } from './find-forgotten.ts'
import { findUnreliable } from './find-unreliable.ts'
import { createOrders } from './make-orders.ts'
import { caseOf } from './play-history.ts'
import type { CaseContext } from './case-context.ts'
import { findShownKey } from './closing-look.ts'
import { type Advice, findMistakes } from '../mistakes/find-mistakes.ts'
import { receiverRemedies } from '../mistakes/remedies.ts'
import { goodWebhooksFail, NotPossibleError } from './not-possible.ts'
import { returnPageOf } from './open-page.ts'
import { rehearse } from './rehearse.ts'
import { runCase, skippedResult } from './run-case.ts'
import { runHistories } from './run-histories.ts'
import { runSideBySide } from './run-side-by-side.ts'
import { bodyText } from '../../domain/http/exchange.ts'
import { describeResponse } from '../../domain/http/http-fetch.ts'
import { isTlsProblemCode, tlsRemedies } from '../../domain/network/tls-problem.ts'
import { untilAborted } from '../../platform/system/until-aborted.ts'
import { isUnreachable, type SandboxPort } from './sandbox-port.ts'
import { send } from './send.ts'
import { createShownTexts, noShownTexts, type ShownTexts } from './shown-texts.ts'
import { countOutcomes, groupProblems, listNotChecked, whatWasChecked } from './summarize.ts'
import { withTimeLimit } from './time-limit.ts'
import { SAME_LINK } from './two-links.ts'
import { historiesIn, validateOptions } from './validate-options.ts'
import { createOrderWatch } from './watch-order.ts'

/**
 * Runs the cases against a receiver. Throws `CheckError` if it cannot start or continue. The check runs in the process of its
 * caller, because `orderState` and `createOrder` are functions. It uses a sandbox only through the control API, even for `POST
 * /checks/receiver`. To add a case, add it to a file in `cases/`, and add a mistake that only this case finds to
 * `fixtures/laboratory/mistakes.ts`.
 */
export async function runCheck(
  receiver: string,
  options: CheckRunOptions,
  port: SandboxPort,
): Promise<CheckReport> {
  const cases = validateOptions(receiver, options)
  await assertTargetsAllowed(port, receiver, options)
  const results: CheckResult[] = []
  return withTimeLimit(options, cases, results, (signal) =>
    runCases(receiver, cases, { ...options, signal }, port, results),
  )
}

async function runCases(
  receiver: string,
  cases: readonly CheckCase[],
  runOptions: CheckRunOptions,
  port: SandboxPort,
  results: CheckResult[],
): Promise<CheckReport> {
  const speed = createAppSpeed(runOptions, cases.length)
  const options = speed.measured(runOptions)
  const shown = cases.some(({ run }) => run === findShownKey) ? createShownTexts() : noShownTexts
  const sandbox = withSafetyChecks(port, options, shown, speed)
  await using app =
    options.restart === undefined
      ? undefined
      : await startApp(options.restart, receiver, options.signal, (text) =>
          shown.add('the log of your app', text),
        )
  const watch = createOrderWatch(options)
  const orders = createOrders(sandbox, options, shown)
  const acceptedEncoding = createAcceptedEncoding({
    makeOrder: () => orders.make({ name: GOOD_WEBHOOK }),
    send: (order, variant) => send({ receiver, sandbox }, { order, check: GOOD_WEBHOOK }, variant),
    watch,
  })
  const context: CaseContext = {
    receiver,
    sandbox,
    orders,
    watch,
    acceptedEncoding,
    app,
    options,
    timeoutMs: options.timeoutMs ?? ORDER_STATE_TIMEOUT_MS,
    firstCaseByCause: new Map(),
    unreachableSince: undefined,
    underway: new Set(),
    isDirectlyReachable: await isListening(receiver),
    paidBefore: undefined,
    harmedSince: undefined,
    paysAnotherSince: undefined,
    readsNoPayments: false,
    paysAnother: undefined,
    remembered: [],
    paidTwice: [],
    untouched: undefined,
    shown,
    otherOrder: undefined,
    answers: { good: 0, postponed: 0 },
    unanswered: [],
    cancelledLinks: new Set(),
    revisitedLinks: new Set(),
    ownAccounts: new Set(),
    startedAt: performance.now(),
    startSeq: await sandbox.newestSeq(),
  }
  const run = async (checkCase: CheckCase): Promise<CheckResult> => {
    const result = await runCase(context, checkCase)
    options.signal?.throwIfAborted()
    return result
  }
  const report = (result: CheckResult): void => {
    results.push(result)
    options.onResult?.(result)
  }
  await rehearse(context, cases)
  const histories = historiesIn(options)
  if (histories === undefined) {
    const kept = await withoutInconclusive(context, cases, report)
    await runInGroups(kept, kept === cases, async (checkCase) => report(await run(checkCase)))
    const names = cases.map(({ name }) => name)
    results.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
  } else {
    await runHistories(histories, {
      play: (history) => run(caseOf(history)),
      isFailed: ({ outcome }) => outcome === 'failed',
      report: (result, sameAs) => report({ ...result, sameAs }),
      endsEarly: options.histories !== undefined,
    })
  }
  const explained = await explainEqualAmounts(context, await explainForgotten(context, results))
  const advice = (await findUnreliable(context, explained)) ?? (await findAdvice(context, explained))
  return { ...createReport(context, explained, advice), delays: speed.describe(orders.limitCounts()) }
}

const isFirst = ({ provesEncoding }: CheckCase): boolean => provesEncoding !== undefined

const isAlone = (one: CheckCase): boolean => one.isAlone === true || one.isLast === true

/**
 * Runs the cases. The cases that find out the encoding come first, unless good webhooks fail in every encoding. Cases that send garbage
 * follow, one after another. All others then run side by side, except cases that need the account alone, and cases that look at orders of
 * other cases.
 */
async function runInGroups(
  cases: readonly CheckCase[],
  isEncodingOpen: boolean,
  run: (checkCase: CheckCase) => Promise<void>,
): Promise<void> {
  const first = isEncodingOpen ? cases.filter(isFirst) : []
  for (const checkCase of first) await run(checkCase)
  const alone = cases.filter((one) => !first.includes(one) && isAlone(one))
  // The first case runs alone, because a receiver that never answers should end the check before many requests wait for it.
  const [next, ...others] = cases.filter((one) => !first.includes(one) && !isAlone(one))
  if (next !== undefined) await run(next)
  for (const checkCase of others.filter(({ isGarbage }) => isGarbage)) await run(checkCase)
  const together = others.filter(({ isGarbage }) => !isGarbage)
  const longestFirst = [
    ...together.filter(({ isLong }) => isLong),
    ...together.filter(({ isLong }) => !isLong),
  ]
  await runSideBySide(longestFirst, run)
  for (const checkCase of alone.filter(({ isLast }) => !isLast)) await run(checkCase)
  for (const checkCase of alone.filter(({ isLast }) => isLast)) await run(checkCase)
}

/** Cases that can tell why good webhooks fail. */
const EXPLAINING = new Set(['redirect-before-webhook', 'webhook-before-order', 'amount-whole', 'note-empty'])

/** If good webhooks fail, runs only the cases that can show the reason. Reports the others as skipped. */
async function withoutInconclusive(
  { watch, acceptedEncoding }: CaseContext,
  cases: readonly CheckCase[],
  report: (result: CheckResult) => void,
): Promise<readonly CheckCase[]> {
  if (watch === undefined || (await acceptedEncoding.detect()) !== undefined) return cases
  const explaining = cases.filter(({ name, group }) => group === 'encoding' || EXPLAINING.has(name))
  const kept = explaining.length > 0 ? explaining : cases.slice(0, 1)
  const reason = new NotPossibleError(goodWebhooksFail(kept[0]!.name))
  for (const one of cases.filter((checkCase) => !kept.includes(checkCase))) report(skippedResult(one, reason))
  return kept
}

/** The name of webhooks that belong to no case. */
const GOOD_WEBHOOK = 'a good webhook'

function createReport(
  context: CaseContext,
  results: readonly CheckResult[],
  advice: Advice | null,
): Omit<CheckReport, 'delays'> {
  const { receiver, orders, watch, options } = context
  const problems = groupProblems(receiverProblems, results)
  return {
    receiver,
    accountId: orders.knownAccount() ?? null,
    checked: whatWasChecked(watch),
    ...countOutcomes(results),
    advice: advice?.text ?? null,
    notChecked: [
      ...listNotChecked(results, watch, SAME_LINK),
      ...otherReceiver(context),
      ...postponed(context),
      ...[...context.ownAccounts].map(
        (id) =>
          `Whether a webhook with the user_id ${id} pays an order, because your app also has links of this account.`,
      ),
      ...(options.quick === true ? [ONLY_QUICK] : []),
    ],
    problems,
    mistakes: findMistakes({ problems, results }, { remedies: receiverRemedies, advice }),
    results,
  }
}

/** Says so if the app has answered 503 to good webhooks, which the check sends again. */
const postponed = ({ answers }: CaseContext): string[] =>
  answers.postponed === 0
    ? []
    : [
        `Whether the service sends a webhook again that your app answers with 503, as it did for ${answers.postponed} of ${answers.good} good webhooks. The API reference does not say so, and the check sent them again.`,
      ]

/** Says so if the links of the app lead to a different address than the options. */
function otherReceiver({ receiver, remembered, untouched }: CaseContext): string[] {
  const orders = [untouched, ...remembered.map(({ order }) => order)].filter((order) => order !== undefined)
  const urls = orders.flatMap(({ targets }) => targets).map(({ url }) => url)
  const [first] = urls
  if (first === undefined || urls.some((url) => isBelow(url, receiver))) return []
  return orders.every(({ paymentEndpoint }) => paymentEndpoint === '')
    ? [
        `${receiver}, because the links of your app name no payment_endpoint. Their webhooks go to the default of the account, ${first}.`,
      ]
    : [`${receiver}, because the links of your app name ${first} as payment_endpoint.`]
}

/** Whether an address leads to the route of an app, or to a path below it, such as one with a key for each order. */
const isBelow = (url: string, route: string): boolean =>
  `${new URL(url).pathname}/`.startsWith(`${new URL(route).pathname.replace(/\/$/, '')}/`)

const ALL_CASES: readonly CheckCase[] = checkCases
const ONLY_QUICK = `${plural(ALL_CASES.filter(({ isQuick }) => !isQuick).length, 'further case')}, because of --quick.`

/** Rejects targets elsewhere: forged webhooks may reach only this machine and private networks. */
async function assertTargetsAllowed(
  port: SandboxPort,
  receiver: string,
  { stateUrl, orderUrl, refundUrl, formUrl }: CheckRunOptions,
): Promise<void> {
  await assertAllowed(port, receiver, 'webhook')
  for (const url of [stateUrl, orderUrl, refundUrl, formUrl])
    if (url !== undefined) await assertAllowed(port, url, 'visit')
}

async function assertAllowed(port: SandboxPort, url: string, by: 'webhook' | 'visit'): Promise<void> {
  const reason = await port.heldReason(new URL(url).origin, by)
  if (reason !== null) throw new CheckError(`Nothing was sent to ${url}: ${reason}.`)
}

/**
 * Ends the check after this many unanswered webhooks, because each takes the whole timeout. A response that never ends counts as
 * well.
 */
const MAX_UNANSWERED = 3

const TIMED_OUT = new Set<Probe['errorCode']>(['timeout', 'answerIncomplete'])

/**
 * Wraps a port. Also checks where the links of the app lead, ends the check if the receiver never answers, measures the app, and adds the
 * answers to what the app has shown.
 */
function withSafetyChecks(
  port: SandboxPort,
  { signal }: CheckRunOptions,
  shown: ShownTexts,
  speed: ReturnType<typeof createAppSpeed>,
): SandboxPort {
  let hasConnected = false
  let hasAnswered = false
  let unanswered = 0
  const reasons = new Map<string, Promise<string | null>>()
  /** Cached, because most links lead to the same few hosts. */
  const heldReason: SandboxPort['heldReason'] = (url, by) => {
    const key = `${by} ${new URL(url).origin}`
    const reason = reasons.get(key) ?? port.heldReason(new URL(url).origin, by)
    reasons.set(key, reason)
    return reason
  }
  const assertLeadsHere = async (field: string, url: string, by: 'webhook' | 'visit'): Promise<void> => {
    const reason = await heldReason(url, by)
    if (reason === null) return
    throw new CheckError(
      `Nothing was sent to ${url}, the ${field} of a link of your app: ${reason}. Make your app use its own address, or map this host to your app: start the sandbox with --map.`,
    )
  }
  const allowed = async <Order extends CheckedOrder | undefined>(found: Promise<Order>) => {
    const order = await found
    if (order === undefined) return order
    const { paymentEndpoint, targets } = order
    const page = returnPageOf(order)
    if (page !== '') await assertLeadsHere('callback_url', page, 'visit')
    if (paymentEndpoint === '') return order
    for (const { url } of targets) await assertLeadsHere('payment_endpoint', url, 'webhook')
    return order
  }
  return {
    ...port,
    link: (ref) => allowed(port.link(ref)),
    waitForLink: (...args) => allowed(port.waitForLink(...args)),
    async post(to, webhook) {
      signal?.throwIfAborted()
      // Webhooks that are sent together wait for each other.
      const post = () => port.post(to, webhook)
      const posted = webhook.atOnce === undefined ? speed.measure(post) : post()
      const probe = await (signal === undefined ? posted : untilAborted(posted, signal))
      const { response } = probe.exchange
      if (response !== null) {
        const where = 'the answer to a webhook'
        const text = bodyText(response.body)
        shown.add(where, text)
        shown.addHeaders(where, describeResponse(response.status, response.headers, text).headerLines)
      }
      hasConnected ||= !isUnreachable(probe)
      hasAnswered ||= probe.status !== null && probe.errorCode !== 'answerIncomplete'
      if (!hasConnected) {
        const remedy = isTlsProblemCode(probe.errorCode)
          ? tlsRemedies[probe.errorCode]
          : 'Start your app, or correct the host and port.'
        throw new CheckError(
          `Nothing was checked, because ${to} cannot be reached: ${probe.error}. ${remedy}`,
        )
      }
      if (hasAnswered || !TIMED_OUT.has(probe.errorCode) || ++unanswered < MAX_UNANSWERED) return probe
      throw new CheckError(
        `Nothing was checked, because ${to} did not completely answer any of ${MAX_UNANSWERED} webhooks: ${probe.error}. Make your app answer each webhook completely, or correct the path.`,
      )
    },
  }
}
