import seed from '../../fixtures/seed.json' with { type: 'json' }
import { addLink, countRequest, expectEvent } from './expected-state.js'
import { openStreamAndWaits } from './open-stream-and-waits.js'
import { KINDS } from './receivers.js'

/** @typedef {import('./caller.js').Caller} Caller */
/** @typedef {import('./caller.js').Answer} Answer */
/** @typedef {import('./expected-state.js').ExpectedState} ExpectedState */
/** @typedef {import('./expected-state.js').Payment} Payment */
/** @typedef {import('./expected-state.js').ExpectedLink} ExpectedLink */
/** @typedef {import('../random.js').Random} Random */

/**
 * @typedef {object} LoadContext
 * @property {Caller} caller
 * @property {ExpectedState} expected
 * @property {Random} random
 * @property {string} origin of the receivers
 * @property {string} url of the sandbox
 * @property {() => boolean} isOver
 * @property {boolean} [closesEverything] leaves no transfer or refund open and takes no snapshot or pin, because these are
 *   never removed from the database
 * @property {() => Promise<void>} [pace] is awaited before each payment
 */

const WORKERS = 8
const RECIPIENTS = [{ token: seed.accounts[1]?.recipientToken, share: 30 }]

/**
 * Makes payments, refunds, resends and replays, several at once, until `isOver`.
 *
 * @param {LoadContext} context
 */
export async function makePayments(context) {
  const workers = Array.from({ length: WORKERS }, async (_nothing, number) => {
    // Only one worker changes other state, so that the order of the changes is known.
    while (!context.isOver()) {
      await context.pace?.()
      await (number === 0 && context.random.chance(0.3) ? changeOtherState(context) : payOnce(context))
    }
  })
  await Promise.all(workers)
}

/** @param {LoadContext} context */
async function payOnce(context) {
  const { random, expected } = context
  const unanswered = expected.payments.findLast(({ requests, links }) => requests === 1 && links.length === 0)
  // A shop without an answer requests its link again. Then there may be two.
  const payment = unanswered && random.chance(0.5) ? unanswered : nextPayment(context)
  const link = await createLink(context, payment)
  if (!link || context.isOver()) return
  await payOrCancel(context, link)
  if (!context.isOver() && link.statuses.size === 1 && link.statuses.has('paid'))
    await refundResendReplay(context, link)
}

/**
 * @param {LoadContext} context
 * @returns {Payment}
 */
function nextPayment({ expected, random, origin, url }) {
  const kinds = KINDS.filter((_kind, index) => random.chance(index < 2 ? 0.5 : 0.12))
  const targets = kinds.map((kind) => `${origin}/${kind}`)
  if (random.chance(0.15)) targets.push(`${url}/tunnel/crash`)
  if (targets.length === 0) targets.push(`${origin}/fast`)
  const payment = {
    order: `order-${expected.payments.length + 1}`,
    amount: 100 * (1 + random.below(500)),
    targets,
    requests: 0,
    links: [],
  }
  expected.payments.push(payment)
  return payment
}

/**
 * @param {LoadContext} context
 * @param {Payment} payment
 */
async function createLink({ caller, expected, random, origin }, payment) {
  payment.requests++
  const answer = await caller.api('createSplitLink', {
    amount: payment.amount / 100,
    recipients: RECIPIENTS,
    recipient_note: payment.order,
    payment_endpoint: payment.targets.join(','),
    ...(random.chance(0.5) ? { callback_url: `${origin}/thanks` } : {}),
  })
  if (answer?.body?.ResponseCode !== 1) return undefined
  const { id } = answer.body.data
  const link = addLink(expected, payment, { id, payId: id, answerText: answer.text })
  expectEvent(link, 'api.request')
  return link
}

/**
 * @param {LoadContext} context
 * @param {ExpectedLink} link
 */
async function payOrCancel(context, link) {
  const { random, caller } = context
  const path = `/links/${link.id}`
  const choice = random.below(100)
  const { pathname, search } = new URL(JSON.parse(link.answerText).data.pay_link)
  /** @param {'pay' | 'cancel' | 'decline' | 'pay-and-close'} outcome @param {readonly number[]} [refusals] */
  const submit = async (outcome, refusals) => {
    const answer = await caller.submit(pathname + search, { method: 'card', outcome }, refusals)
    if (answer?.status === 302) expectEvent(link, 'redirect.sent')
    return answer
  }
  /** @param {readonly number[]} [refusals] */
  const pay = (refusals) =>
    random.chance(0.2)
      ? submit(random.pick(['pay', 'pay', 'pay-and-close']), refusals)
      : caller.control('POST', `${path}/pay`, { wait: random.chance(0.1) ? 'settled' : 'accepted' }, refusals)
  const cancel = () =>
    random.chance(0.3) ? submit('cancel') : caller.control('POST', `${path}/cancel`, { wait: 'accepted' })
  const decline = () => (random.chance(0.3) ? submit('decline') : caller.control('POST', `${path}/decline`))
  if (choice < 60) expectStatus(link, 'paid', [await pay()])
  else if (choice < 68) {
    const answers = await Promise.all([pay([409]), pay([409]), pay([409])])
    const times = answers.filter((answer) => answer && answer.status < 400).length
    if (times > 1 || (times === 0 && !answers.includes(undefined))) {
      context.expected.problems.push(`Link ${link.id} was paid ${times} times by three requests at once.`)
    }
    expectStatus(link, 'paid', answers)
  } else if (choice < 80) expectStatus(link, 'cancelled', [await cancel()])
  else if (choice < 85) {
    const declined = await decline()
    if (declined) expectEvent(link, 'link.declined')
    expectStatus(link, 'paid', [await pay()])
  } else if (choice < 97) {
    const initiated = await caller.control('POST', `${path}/pay`, {
      method: 'bank-transfer',
      wait: 'accepted',
    })
    expectStatus(link, 'awaiting-transfer', [initiated])
    if (!initiated || context.isOver() || (!context.closesEverything && random.chance(0.2))) return
    expectEvent(link, 'bank_transfer.initiated')
    if (random.chance(0.3)) {
      const rejected = await caller.control('POST', `${path}/reject-transfer`)
      if (rejected) expectEvent(link, 'bank_transfer.rejected')
      expectStatus(link, 'unused', [rejected])
    } else
      expectStatus(link, 'paid', [
        await caller.control('POST', `${path}/approve-transfer`, { wait: 'accepted' }),
      ])
  }
}

/**
 * A success proves the new status. Without an answer, the new status is possible.
 *
 * @param {ExpectedLink} link
 * @param {string} status
 * @param {readonly Answer[]} answers
 */
function expectStatus(link, status, answers) {
  link.hasChanged = true
  if (answers.some((answer) => answer && answer.status < 400)) link.statuses = new Set([status])
  else if (answers.includes(undefined)) link.statuses.add(status)
}

/**
 * Requests refunds, resends and replays of a paid link.
 *
 * @param {LoadContext} context
 * @param {ExpectedLink} link
 */
async function refundResendReplay({ caller, expected, random, closesEverything }, link) {
  link.hasChanged = true
  if (random.chance(0.4)) {
    const count = random.pick([1, 1, 2, 4])
    const amounts = Array.from({ length: count }, () => 1 + random.below(link.payment.amount * 1.2))
    await Promise.all(
      amounts.map(async (amount) => {
        const refund = { amount, success: /** @type {boolean | undefined} */ (undefined) }
        link.refunds.push(refund)
        const answer = await caller.api(
          'refundPayment',
          { pay_id: link.payId, refund_amount: amount / 100 },
          ['Refund already requested', ...(amount > link.payment.amount ? ['Invalid refund amount'] : [])],
        )
        refund.success = answer && answer.body?.ResponseCode === 1
        if (!refund.success) return
        expectEvent(link, 'api.request')
        expectEvent(link, 'refund.requested')
      }),
    )
    const isPossible = amounts.some((amount) => amount <= link.payment.amount)
    if (isPossible && link.refunds.every(({ success }) => success === false)) {
      expected.problems.push(`Link ${link.id} is paid, but none of ${count} refunds was accepted.`)
    }
    if (link.refunds.some(({ success }) => success) && (closesEverything || random.chance(0.5))) {
      const verdict = random.pick(['approve', 'reject'])
      const answer = await caller.control('POST', `/refunds/${link.payId}/${verdict}`)
      if (answer?.status === 200) {
        link.refundState = verdict === 'approve' ? 'approved' : 'rejected'
        expectEvent(link, `refund.${link.refundState}`)
      }
    }
  }
  if (random.chance(0.15)) {
    const times = random.pick([1, 2])
    await Promise.all(
      Array.from({ length: times }, async () => {
        const answer = await caller.api('sendWebhookViaPayId', {
          pay_ids: String(link.payId),
          status: 'Success',
        })
        const success = answer && answer.body?.ResponseCode === 1
        if (success) expectEvent(link, 'api.request')
        countRequest(link.resends, success, link.payment.targets.length)
      }),
    )
  }
  if (random.chance(0.1)) {
    const list = await caller.control('GET', `/deliveries?link=${link.id}`)
    const first = list?.body?.deliveries?.at(-1)
    if (!first) return
    const answer = await caller.control('POST', `/deliveries/${first.id}/replay`, { wait: 'accepted' })
    countRequest(link.replays, answer && answer.status < 300, 1)
  }
}

/**
 * Takes snapshots, pins events, changes behaviors and faults, reads lists, or sends wrong calls.
 *
 * @param {LoadContext} context
 */
async function changeOtherState({ caller, expected, random, origin, url, closesEverything }) {
  const { other } = expected
  const choice = closesEverything ? 2 + random.below(5) : random.below(6)
  if (choice === 0) {
    const name = random.pick(['one', 'two'])
    await (random.chance(0.4) ? deleteSnapshot(caller, expected, name) : takeSnapshot(caller, expected, name))
  } else if (choice === 1) {
    const newest = await caller.control('GET', '/events?limit=1')
    const seq = newest?.body?.events?.[0]?.seq
    if (seq === undefined) return
    const answer = await caller.control('PUT', `/events/${seq}/pin`)
    if (answer?.status === 204) other.pins.add(seq)
  } else if (choice === 2) {
    const statusText = random.pick(['documented', 'lowercase'])
    const answer = await caller.control('PATCH', '/behaviors', { statusText })
    if (answer?.status === 200) other.statusText = new Set([statusText])
    else other.statusText.add(statusText)
  } else if (choice === 3) {
    const script = random.pick(['503,200', 'drop', 'duplicate'])
    await caller.control('POST', '/faults', { on: 'webhook', script, target: `${origin}/faulty` })
  } else if (choice === 4) {
    await caller.control('GET', '/links?limit=20')
    await caller.control('GET', '/diagnostics')
    await openStreamAndWaits(caller, url)
  } else if (choice === 6) {
    await caller.control('DELETE', '/faults')
  } else {
    await caller.api('createSplitLink', { amount: -1 }, ['amount should be greater than zero'])
    await caller.api('getTaxInvoiceList', {})
  }
}

/**
 * @param {Caller} caller
 * @param {ExpectedState} expected
 * @param {string} name
 */
async function takeSnapshot(caller, { other: { snapshots } }, name) {
  const answer = await caller.control('POST', '/snapshots', { name, replace: true })
  if (answer) snapshots.set(name, 'present')
  // The snapshot that it replaces exists in either case.
  else if (snapshots.get(name) !== 'present') snapshots.set(name, 'unknown')
}

/**
 * @param {Caller} caller
 * @param {ExpectedState} expected
 * @param {string} name
 */
async function deleteSnapshot(caller, { other: { snapshots }, problems }, name) {
  const before = snapshots.get(name) ?? 'deleted'
  const answer = await caller.control(
    'DELETE',
    `/snapshots/${name}`,
    undefined,
    before === 'present' ? [] : [404],
  )
  if (answer?.status === 204 && before === 'deleted') problems.push(`Snapshot ${name} was deleted twice.`)
  if (answer) snapshots.set(name, 'deleted')
  else if (before === 'present') snapshots.set(name, 'unknown')
}
