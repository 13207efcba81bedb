import type { CheckedOrder, Probe } from '../../contract/checks/check.ts'
import { bodyText } from '../../domain/http/exchange.ts'
import { describeResponse } from '../../domain/http/http-fetch.ts'
import { isTlsProblemCode, tlsRemedies } from '../../domain/network/tls-problem.ts'
import { untilAborted } from '../../platform/system/until-aborted.ts'
import type { createAppSpeed } from '../app/run/app-speed.ts'
import { CheckError } from '../app/run/check-error.ts'
import type { CheckRunOptions } from '../app/run/check-run-options.ts'
import { returnPageOf } from '../app/orders/open-page.ts'
import { isUnreachable, type SandboxPort } from '../app/run/sandbox-port.ts'
import type { ShownTexts } from '../app/orders/shown-texts.ts'

/** Rejects targets elsewhere: forged webhooks may reach only this machine and private networks. */
export async function assertTargetsAllowed(
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
export function guardSandbox(
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
