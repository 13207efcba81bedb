import {
  receiverProblems,
  type CheckedOrder,
  type CheckReport,
  type CheckResult,
  type Probe,
} from '../../contract/checks/check.ts'
import { startApp } from './app-process.ts'
import { createAcceptedEncoding } from './accepted-encoding.ts'
import type { CheckCase } from './check-case.ts'
import { CheckError } from './check-error.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { findAdvice } from './find-advice.ts'
import { createOrders } from './make-orders.ts'
import { caseOf, ordersOf } from './interleave.ts'
import { runCase, type CaseContext } from './run-case.ts'
import { runInterleaved } from './run-interleaved.ts'
import { isTlsProblemCode, tlsRemedies } from '../../domain/network/tls-problem.ts'
import { isUnreachable, type SandboxPort } from './sandbox-port.ts'
import { send } from './send.ts'
import { groupProblems, summarize } from './summarize.ts'
import { withTimeLimit } from './time-limit.ts'
import { validateOptions } from './validate-options.ts'
import { createOrderWatch } from './watch-order.ts'

/**
 * Runs the cases against a receiver, one after another. Throws `CheckError` if it cannot start or continue.
 *
 * The check runs in the process of its caller, because `orderState` and `createOrder` are functions. It uses a sandbox by the
 * control API only, also for `POST /checks/receiver`. To add a case, add it to `cases.ts`, and a flaw to
 * `test/support/checked-app.ts` that makes it fail.
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
  options: CheckRunOptions,
  port: SandboxPort,
  results: CheckResult[],
): Promise<CheckReport> {
  const sandbox = withSafetyChecks(port, options)
  await using app =
    options.restart === undefined ? undefined : await startApp(options.restart, receiver, options.signal)
  const watch = createOrderWatch(options)
  const orders = createOrders(sandbox, options)
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
    firstCaseByCause: new Map(),
    unreachableSince: undefined,
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
  if (options.interleave === undefined) for (const checkCase of cases) report(await run(checkCase))
  else {
    await runInterleaved(ordersOf(options.interleave, options.refundUrl), {
      run: (order) => run(caseOf(order)),
      isFailed: ({ outcome }) => outcome === 'failed',
      report: (result, _order, sameAs) => report({ ...result, sameAs }),
    })
  }
  return createReport(context, results, await findAdvice(context, results))
}

/** The name of webhooks that belong to no case. */
const GOOD_WEBHOOK = 'a good webhook'

function createReport(
  { receiver, orders, watch }: CaseContext,
  results: readonly CheckResult[],
  advice: string | null,
): CheckReport {
  return {
    receiver,
    accountId: orders.knownAccount() ?? null,
    ...summarize(results, watch),
    advice,
    problems: groupProblems(receiverProblems, results),
    results,
  }
}

/** The check sends forged webhooks. They must reach only this machine and private networks. */
async function assertTargetsAllowed(
  port: SandboxPort,
  receiver: string,
  { stateUrl, orderUrl, refundUrl }: CheckRunOptions,
): Promise<void> {
  await assertAllowed(port, receiver, 'webhook')
  for (const url of [stateUrl, orderUrl, refundUrl])
    if (url !== undefined) await assertAllowed(port, url, 'visit')
}

async function assertAllowed(port: SandboxPort, url: string, by: 'webhook' | 'visit'): Promise<void> {
  const reason = await port.heldReason(new URL(url).origin, by)
  if (reason !== null) throw new CheckError(`Nothing was sent to ${url}: ${reason}.`)
}

/** Each unanswered webhook takes the whole timeout, and so does one whose answer never ends. */
const MAX_UNANSWERED = 3

const TIMED_OUT = new Set<Probe['errorCode']>(['timeout', 'answerIncomplete'])

/**
 * Wraps a port. It also checks where the links of the app lead, and ends the check if the receiver never answers.
 */
function withSafetyChecks(port: SandboxPort, { signal }: CheckRunOptions): SandboxPort {
  let hasConnected = false
  let hasAnswered = false
  let unanswered = 0
  const allowed = async <Order extends Pick<CheckedOrder, 'callbackUrl' | 'callbackMappedTo'> | undefined>(
    found: Promise<Order>,
  ) => {
    const order = await found
    if (order !== undefined && order.callbackUrl !== '') {
      await assertAllowed(port, order.callbackMappedTo ?? order.callbackUrl, 'visit')
    }
    return order
  }
  return {
    ...port,
    link: (ref) => allowed(port.link(ref)),
    waitForLink: (...args) => allowed(port.waitForLink(...args)),
    async post(to, webhook) {
      signal?.throwIfAborted()
      const probe = await port.post(to, webhook)
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
        `Nothing was checked, because ${to} did not completely answer any of ${MAX_UNANSWERED} webhooks: ${probe.error}. Let your app answer each webhook and end the answer, or correct the path.`,
      )
    },
  }
}
