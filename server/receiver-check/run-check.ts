import { NO_ANSWER_WITHIN } from '../domain/webhooks/delivery.ts'
import { validateOptions } from './validate-options.ts'
import { findAdvice } from './find-advice.ts'
import { isUnreachable, type SandboxPort } from './sandbox-port.ts'
import type { CheckCase } from './check-case.ts'
import type { CheckRunOptions } from './check-run-options.ts'
import { CheckError } from './check-error.ts'
import type { CheckedOrder } from '../contract/check.ts'
import type { CheckReport, CheckResult } from '../contract/check.ts'
import { createOrders } from './make-orders.ts'
import { runCase, type CaseContext } from './run-case.ts'
import { send } from './send.ts'
import { createAcceptedEncoding } from './accepted-encoding.ts'
import { createOrderWatch, type OrderWatch } from './watch-order.ts'

/** Tries a receiver with one case after another. */
export async function runCheck(
  receiver: string,
  options: CheckRunOptions,
  port: SandboxPort,
): Promise<CheckReport> {
  const cases = validateOptions(receiver, options)
  await assertTargetsAllowed(port, receiver, options)
  const results: CheckResult[] = []
  const time = startTimeLimit(options)
  try {
    return await runCases(receiver, cases, { ...options, signal: time.signal }, port, results)
  } catch (error) {
    if (error instanceof CheckError || !time.isUp()) throw error
    throw new CheckError(
      `The check was not done within ${options.withinMs! / 1000} s: it had tried ${results.length} of ${cases.length} cases. Try fewer at once, or give the app less time for each.`,
    )
  } finally {
    time.end()
  }
}

async function runCases(
  receiver: string,
  cases: readonly CheckCase[],
  options: CheckRunOptions,
  port: SandboxPort,
  results: CheckResult[],
): Promise<CheckReport> {
  const sandbox = guardPort(port, options)
  const watch = createOrderWatch(options)
  const orders = createOrders(sandbox, options)
  const acceptedEncoding = createAcceptedEncoding({
    makeOrder: () => orders.make({ name: GOOD_WEBHOOK }),
    send: (order, sending) => send({ receiver, sandbox: sandbox }, { order, check: GOOD_WEBHOOK }, sending),
    watch,
  })
  const context: CaseContext = {
    receiver,
    sandbox: sandbox,
    orders,
    watch,
    acceptedEncoding: acceptedEncoding,
    options,
    firstCaseByCause: new Map(),
    unreachableSince: undefined,
  }
  for (const one of cases) {
    const result = await runCase(context, one)
    options.signal?.throwIfAborted()
    results.push(result)
    options.onResult?.(result)
  }
  return createReport(receiver, watch, results, await findAdvice(context, results))
}

/** How a webhook is called that is of no case. */
const GOOD_WEBHOOK = 'a good webhook'

/** The signal that ends a check, be it called off or out of time. */
function startTimeLimit({ signal, withinMs }: CheckRunOptions) {
  const late = new AbortController()
  const timer = withinMs === undefined ? undefined : setTimeout(() => late.abort(), withinMs)
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    isUp: (): boolean => late.signal.aborted,
    end: (): void => clearTimeout(timer),
  }
}

function createReport(
  receiver: string,
  watch: OrderWatch | undefined,
  results: readonly CheckResult[],
  advice: string | null,
): CheckReport {
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length
  return {
    receiver,
    judged: watch === undefined ? 'answers' : watch.counts() ? 'fulfilments' : 'orders',
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    advice,
    results,
  }
}

/** Forged webhooks have no business at anybody else's. */
async function assertTargetsAllowed(
  sandbox: SandboxPort,
  receiver: string,
  { stateUrl, orderUrl }: CheckRunOptions,
): Promise<void> {
  await assertAllowed(sandbox, receiver, 'webhook')
  for (const url of [stateUrl, orderUrl]) if (url !== undefined) await assertAllowed(sandbox, url, 'visit')
}

async function assertAllowed(sandbox: SandboxPort, url: string, by: 'webhook' | 'visit'): Promise<void> {
  const reason = await sandbox.heldReason(new URL(url).origin, by)
  if (reason !== null) throw new CheckError(`Nothing was sent to ${url}: ${reason}.`)
}

/** Each takes as long as an answer may take. */
const MAX_UNANSWERED = 3

/** A sandbox that looks at where the app's orders lead, and ends the battery where nobody answers at all. */
function guardPort(sandbox: SandboxPort, { signal }: CheckRunOptions): SandboxPort {
  let wasThere = false
  let hasAnswered = false
  let silences = 0
  const accepted = async <Order extends Pick<CheckedOrder, 'callbackUrl' | 'callbackMappedTo'> | undefined>(
    asked: Promise<Order>,
  ) => {
    const order = await asked
    if (order !== undefined && order.callbackUrl !== '') {
      await assertAllowed(sandbox, order.callbackMappedTo ?? order.callbackUrl, 'visit')
    }
    return order
  }
  return {
    ...sandbox,
    link: (ref) => accepted(sandbox.link(ref)),
    waitForLink: (...asked) => accepted(sandbox.waitForLink(...asked)),
    async post(to, webhook) {
      signal?.throwIfAborted()
      const probe = await sandbox.post(to, webhook)
      wasThere ||= !isUnreachable(probe)
      hasAnswered ||= probe.status !== null
      if (!wasThere) {
        throw new CheckError(
          `Nothing was checked, as ${to} cannot be reached: ${probe.error}. Start your app, and compare host and port.`,
        )
      }
      if (hasAnswered || !probe.error?.startsWith(NO_ANSWER_WITHIN) || ++silences < MAX_UNANSWERED)
        return probe
      throw new CheckError(
        `Nothing was checked, as ${to} has not answered any of ${MAX_UNANSWERED} webhooks: ${probe.error}. Let your app answer each webhook, and compare the path.`,
      )
    },
  }
}
