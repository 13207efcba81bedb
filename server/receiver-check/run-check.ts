import { NO_ANSWER_WITHIN } from '../domain/webhooks/delivery.ts'
import { acceptCheck } from './validate-options.ts'
import { adviceOn } from './advice.ts'
import { isUnreachable, type SandboxPort } from './sandbox-port.ts'
import type { CheckCase } from './check-case.ts'
import type { CheckRun } from './check-run.ts'
import { CheckProblem } from './check-error.ts'
import type { CheckedOrder } from '../contract/check.ts'
import type { CheckReport, CheckResult } from '../contract/check.ts'
import { createOrders } from './make-orders.ts'
import { runCase, type Rig } from './run-case.ts'
import { send } from './send.ts'
import { createTaken } from './accepted-encoding.ts'
import { createWatch, type Watch } from './watch-order.ts'

/** Tries a receiver with one case after another. */
export async function runCheck(
  receiver: string,
  options: CheckRun,
  opened: SandboxPort,
): Promise<CheckReport> {
  const cases = acceptCheck(receiver, options)
  await refuseElsewhere(opened, receiver, options)
  const results: CheckResult[] = []
  const time = limited(options)
  try {
    return await tryAll(receiver, cases, { ...options, signal: time.signal }, opened, results)
  } catch (error) {
    if (error instanceof CheckProblem || !time.isUp()) throw error
    throw new CheckProblem(
      `The check was not done within ${options.withinMs! / 1000} s: it had tried ${results.length} of ${cases.length} cases. Try fewer at once, or give the app less time for each.`,
    )
  } finally {
    time.end()
  }
}

async function tryAll(
  receiver: string,
  cases: readonly CheckCase[],
  options: CheckRun,
  opened: SandboxPort,
  results: CheckResult[],
): Promise<CheckReport> {
  const bench = guarded(opened, options)
  const watch = createWatch(options)
  const orders = createOrders(bench, options)
  const taken = createTaken({
    makeOrder: () => orders.make({ name: GOOD }),
    send: (order, sending) => send({ receiver, bench }, { order, check: GOOD }, sending),
    watch,
  })
  const rig: Rig = { receiver, bench, orders, watch, taken, options, firstWith: new Map(), lostIn: undefined }
  for (const one of cases) {
    const result = await runCase(rig, one)
    options.signal?.throwIfAborted()
    results.push(result)
    options.onResult?.(result)
  }
  return reportOf(receiver, watch, results, await adviceOn(rig, results))
}

/** How a webhook is called that is of no case. */
const GOOD = 'a good webhook'

/** The signal that ends a check, be it called off or out of time. */
function limited({ signal, withinMs }: CheckRun) {
  const late = new AbortController()
  const timer = withinMs === undefined ? undefined : setTimeout(() => late.abort(), withinMs)
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    isUp: (): boolean => late.signal.aborted,
    end: (): void => clearTimeout(timer),
  }
}

function reportOf(
  receiver: string,
  watch: Watch | undefined,
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
async function refuseElsewhere(
  bench: SandboxPort,
  receiver: string,
  { stateUrl, orderUrl }: CheckRun,
): Promise<void> {
  await refuseHeld(bench, receiver, 'webhook')
  for (const url of [stateUrl, orderUrl]) if (url !== undefined) await refuseHeld(bench, url, 'visit')
}

async function refuseHeld(bench: SandboxPort, url: string, by: 'webhook' | 'visit'): Promise<void> {
  const reason = await bench.heldReason(new URL(url).origin, by)
  if (reason !== null) throw new CheckProblem(`Nothing was sent to ${url}: ${reason}.`)
}

/** Each takes as long as an answer may take. */
const MAX_SILENCES = 3

/** A bench that looks at where the app's orders lead, and ends the battery where nobody answers at all. */
function guarded(bench: SandboxPort, { signal }: CheckRun): SandboxPort {
  let wasThere = false
  let hasAnswered = false
  let silences = 0
  const accepted = async <Order extends Pick<CheckedOrder, 'callbackUrl' | 'callbackMappedTo'> | undefined>(
    asked: Promise<Order>,
  ) => {
    const order = await asked
    if (order !== undefined && order.callbackUrl !== '') {
      await refuseHeld(bench, order.callbackMappedTo ?? order.callbackUrl, 'visit')
    }
    return order
  }
  return {
    ...bench,
    link: (ref) => accepted(bench.link(ref)),
    linkAfter: (...asked) => accepted(bench.linkAfter(...asked)),
    async post(to, webhook) {
      signal?.throwIfAborted()
      const probe = await bench.post(to, webhook)
      wasThere ||= !isUnreachable(probe)
      hasAnswered ||= probe.status !== null
      if (!wasThere) {
        throw new CheckProblem(
          `Nothing was checked, as ${to} cannot be reached: ${probe.error}. Start your app, and compare host and port.`,
        )
      }
      if (hasAnswered || !probe.error?.startsWith(NO_ANSWER_WITHIN) || ++silences < MAX_SILENCES) return probe
      throw new CheckProblem(
        `Nothing was checked, as ${to} has not answered any of ${MAX_SILENCES} webhooks: ${probe.error}. Let your app answer each webhook, and compare the path.`,
      )
    },
  }
}
