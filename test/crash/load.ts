import { once } from 'node:events'
import { WebSocket } from 'ws'
import { recipients } from '../support/sandbox.ts'
import type { Answer, Caller } from './caller.ts'
import {
  addLink,
  countRequest,
  expectEvent,
  type ExpectedLink,
  type ExpectedState,
  type Payment,
} from './expected-state.ts'
import type { Random } from './random.ts'
import { KINDS } from './receivers.ts'

export interface Load {
  readonly caller: Caller
  readonly expected: ExpectedState
  readonly random: Random
  /** The origin of the receivers. */
  readonly origin: string
  /** The address of the sandbox. */
  readonly url: string
  readonly isOver: () => boolean
  /** Leaves no transfer and no refund open, and takes no snapshot. Otherwise the database would keep them forever. */
  readonly closesEverything?: boolean
  /** Each payment waits for this promise first. */
  readonly pace?: () => Promise<unknown>
}

const WORKERS = 8

/** Makes payments, refunds, resends and replays, several at once, until `isOver`. */
export async function makePayments(load: Load): Promise<void> {
  const workers = Array.from({ length: WORKERS }, async (_none, number) => {
    while (!load.isOver()) {
      await load.pace?.()
      // Only one worker changes other state, so that the sequence of these changes is known.
      await (number === 0 && load.random.chance(0.3) ? changeOtherState(load) : payOnce(load))
    }
  })
  await Promise.all(workers)
}

async function payOnce(load: Load): Promise<void> {
  const { random, expected } = load
  const unanswered = expected.payments.findLast(({ requests, links }) => requests === 1 && links.length === 0)
  // A shop that gets no answer requests its link again, so two links may exist.
  const payment = unanswered && random.chance(0.5) ? unanswered : nextPayment(load)
  const link = await createLink(load, payment)
  if (!link || load.isOver()) return
  await payOrCancel(load, link)
  if (load.isOver() || link.statuses.size > 1 || !link.statuses.has('paid')) return
  if (random.chance(0.4)) await refund(load, link)
  if (random.chance(0.15)) await resend(load, link)
  if (random.chance(0.1)) await replay(load, link)
}

function nextPayment({ expected, random, origin, url }: Load): Payment {
  const kinds = KINDS.filter((_kind, index) => random.chance(index < 2 ? 0.5 : 0.12))
  const targets = kinds.map((kind) => `${origin}/${kind}`)
  if (random.chance(0.15)) targets.push(`${url}/tunnel/crash`)
  if (targets.length === 0) targets.push(`${origin}/fast`)
  const order = `order-${expected.payments.length + 1}`
  const payment: Payment = { order, amount: 100 * (1 + random.below(500)), targets, requests: 0, links: [] }
  expected.payments.push(payment)
  return payment
}

async function createLink({ caller, expected, random, origin }: Load, payment: Payment) {
  payment.requests++
  const answer = await caller.api('createSplitLink', {
    amount: payment.amount / 100,
    recipients,
    recipient_note: payment.order,
    payment_endpoint: payment.targets.join(),
    ...(random.chance(0.5) && { callback_url: `${origin}/thanks` }),
  })
  if (answer?.body?.ResponseCode !== 1) return undefined
  const { id } = answer.body.data
  const link = addLink(expected, payment, { id, payId: id, answerText: answer.text })
  expectEvent(link, 'api.request')
  return link
}

async function payOrCancel(load: Load, link: ExpectedLink): Promise<void> {
  const { random, caller, expected, isOver } = load
  const path = `/links/${link.id}`
  const { pathname, search } = new URL(JSON.parse(link.answerText).data.pay_link)
  const submit = async (outcome: string, refusals?: readonly number[]): Promise<Answer> => {
    const answer = await caller.submit(pathname + search, { method: 'card', outcome }, refusals)
    if (answer?.status === 302) expectEvent(link, 'redirect.sent')
    return answer
  }
  const pay = (refusals?: readonly number[]): Promise<Answer> =>
    random.chance(0.2)
      ? submit(random.pick(['pay', 'pay', 'pay-and-close']), refusals)
      : caller.control('POST', `${path}/pay`, { wait: random.chance(0.1) ? 'settled' : 'accepted' }, refusals)

  const choice = random.below(100)
  if (choice < 60) expectStatus(link, 'paid', [await pay()])
  else if (choice < 68) {
    const answers = await Promise.all([pay([409]), pay([409]), pay([409])])
    const times = answers.filter((answer) => answer && answer.status < 400).length
    if (times > 1 || (times === 0 && !answers.includes(undefined)))
      expected.problems.push(`Link ${link.id} was paid ${times} times by three requests at once.`)
    expectStatus(link, 'paid', answers)
  } else if (choice < 80) {
    const byPage = random.chance(0.3)
    const cancelled = byPage
      ? submit('cancel')
      : caller.control('POST', `${path}/cancel`, { wait: 'accepted' })
    expectStatus(link, 'cancelled', [await cancelled])
  } else if (choice < 85) {
    const byPage = random.chance(0.3)
    const declined = await (byPage ? submit('decline') : caller.control('POST', `${path}/decline`))
    if (declined) expectEvent(link, 'link.declined')
    expectStatus(link, 'paid', [await pay()])
  } else if (choice < 97) {
    const transfer = { method: 'bank-transfer', wait: 'accepted' }
    const initiated = await caller.control('POST', `${path}/pay`, transfer)
    expectStatus(link, 'awaiting-transfer', [initiated])
    if (!initiated || isOver() || (!load.closesEverything && random.chance(0.2))) return
    expectEvent(link, 'bank_transfer.initiated')
    if (random.chance(0.3)) {
      const rejected = await caller.control('POST', `${path}/reject-transfer`)
      if (rejected) expectEvent(link, 'bank_transfer.rejected')
      expectStatus(link, 'unused', [rejected])
    } else {
      const approved = await caller.control('POST', `${path}/approve-transfer`, { wait: 'accepted' })
      expectStatus(link, 'paid', [approved])
    }
  }
}

/** A success proves the new status. Without an answer, the payment may have the old or the new status. */
function expectStatus(link: ExpectedLink, status: string, answers: readonly Answer[]): void {
  if (answers.some((answer) => answer && answer.status < 400)) link.statuses = new Set([status])
  else if (answers.includes(undefined)) link.statuses.add(status)
}

async function refund({ caller, expected, random, closesEverything }: Load, link: ExpectedLink) {
  const { payId, payment, refunds } = link
  const count = random.pick([1, 1, 2, 4])
  const amounts = Array.from({ length: count }, () => 1 + random.below(payment.amount * 1.2))
  const requestRefund = async (amount: number) => {
    const requested: (typeof refunds)[0] = { amount, success: undefined }
    refunds.push(requested)
    const refusals = [
      'Refund already requested',
      ...(amount > payment.amount ? ['Invalid refund amount'] : []),
    ]
    const answer = await caller.api('refundPayment', { pay_id: payId, refund_amount: amount / 100 }, refusals)
    requested.success = answer && answer.body?.ResponseCode === 1
    if (!requested.success) return
    expectEvent(link, 'api.request')
    expectEvent(link, 'refund.requested')
  }
  await Promise.all(amounts.map(requestRefund))
  const isPossible = amounts.some((amount) => amount <= payment.amount)
  if (isPossible && refunds.every(({ success }) => success === false))
    expected.problems.push(`Link ${link.id} is paid, but none of ${count} refunds was accepted.`)
  if (!refunds.some(({ success }) => success) || !(closesEverything || random.chance(0.5))) return
  const verdict = random.pick(['approve', 'reject'])
  const answer = await caller.control('POST', `/refunds/${payId}/${verdict}`)
  if (answer?.status !== 200) return
  link.refundState = verdict === 'approve' ? 'approved' : 'rejected'
  expectEvent(link, `refund.${link.refundState}`)
}

async function resend({ caller, random }: Load, link: ExpectedLink): Promise<void> {
  const resendOnce = async () => {
    const body = { pay_ids: String(link.payId), status: 'Success' }
    const answer = await caller.api('sendWebhookViaPayId', body)
    const success = answer && answer.body?.ResponseCode === 1
    if (success) expectEvent(link, 'api.request')
    countRequest(link.resends, success, link.payment.targets.length)
  }
  await Promise.all(Array.from({ length: random.pick([1, 2]) }, resendOnce))
}

async function replay({ caller }: Load, link: ExpectedLink): Promise<void> {
  const list = await caller.control('GET', `/deliveries?link=${link.id}`)
  const first = list?.body?.deliveries?.at(-1)
  if (!first) return
  const answer = await caller.control('POST', `/deliveries/${first.id}/replay`, { wait: 'accepted' })
  countRequest(link.replays, answer && answer.status < 300, 1)
}

/** Takes snapshots, changes behaviors and faults, reads lists, opens streams, or sends wrong calls. */
async function changeOtherState(load: Load): Promise<void> {
  const { caller, expected, random, origin } = load
  const choice = load.closesEverything ? 1 + random.below(5) : random.below(5)
  if (choice === 0) {
    const name = random.pick(['one', 'two'])
    await (random.chance(0.4) ? deleteSnapshot(caller, expected, name) : takeSnapshot(caller, expected, name))
  } else if (choice === 1) {
    const statusText = random.pick(['documented', 'lowercase'])
    const answer = await caller.control('PATCH', '/behaviors', { statusText })
    if (answer?.status === 200) expected.statusText = new Set([statusText])
    else expected.statusText.add(statusText)
  } else if (choice === 2) {
    const script = random.pick(['503,200', 'drop', 'duplicate'])
    await caller.control('POST', '/faults', { on: 'webhook', script, target: `${origin}/faulty` })
  } else if (choice === 3) {
    await caller.control('GET', '/links?limit=20')
    await caller.control('GET', '/diagnostics')
    await openStreamAndWaits(load)
  } else if (choice === 4) {
    await caller.api('createSplitLink', { amount: -1 }, ['amount should be greater than zero'])
    await caller.api('getTaxInvoiceList', {})
  } else await caller.control('DELETE', '/faults')
}

async function takeSnapshot(caller: Caller, { snapshots }: ExpectedState, name: string): Promise<void> {
  const answer = await caller.control('POST', '/snapshots', { name, replace: true })
  if (answer) snapshots.set(name, 'present')
  // A snapshot that was to be replaced exists, whether the call succeeded or not.
  else if (snapshots.get(name) !== 'present') snapshots.set(name, 'unknown')
}

async function deleteSnapshot(caller: Caller, expected: ExpectedState, name: string): Promise<void> {
  const { snapshots, problems } = expected
  const before = snapshots.get(name) ?? 'deleted'
  const refusals = before === 'present' ? [] : [404]
  const answer = await caller.control('DELETE', `/snapshots/${name}`, undefined, refusals)
  if (answer?.status === 204 && before === 'deleted') problems.push(`Snapshot ${name} was deleted twice.`)
  if (answer) snapshots.set(name, 'deleted')
  else if (before === 'present') snapshots.set(name, 'unknown')
}

/** A short wait lets the caller continue soon. The event may come later. */
const WAIT_MS = 200

/** Opens a stream and two waits, as an inspector and a test do. Closes the stream after its first message. */
export async function openStreamAndWaits({ caller, url }: Pick<Load, 'caller' | 'url'>): Promise<void> {
  const stream = new WebSocket(`${url.replace('http', 'ws')}/_sandbox/v1/stream`)
  // If the sandbox is killed, the stream gets no closing message.
  stream.on('error', () => {})
  const closed = new Promise((resolve) => stream.once('close', resolve))
  await Promise.race([once(stream, 'message').catch(() => {}), closed])
  stream.terminate()
  await closed
  const wait = { match: { type: 'sandbox.reset' }, timeoutMs: WAIT_MS }
  await caller.control('POST', '/events/wait', wait, [408])
  await caller.control('POST', '/events/wait', { match: { type: 'link.created' }, timeoutMs: WAIT_MS }, [408])
}
