import seed from '../../fixtures/seed.json' with { type: 'json' }
import { addLink, countRequest, expectEvent } from './expected-state.js'
import { openStreamAndWaits } from './open-stream-and-waits.js'
import { KINDS } from './receivers.js'

/** @typedef {import('./caller.js').Caller} Caller */
/** @typedef {import('./caller.js').Answer} Answer */
/** @typedef {import('./expected-state.js').Ledger} Ledger */
/** @typedef {import('./expected-state.js').Payment} Payment */
/** @typedef {import('./expected-state.js').Created} Created */
/** @typedef {import('../random.js').Random} Random */
/** @typedef {{ caller: Caller, ledger: Ledger, random: Random, origin: string, url: string, isOver: () => boolean, isLasting?: boolean, pace?: () => Promise<void> }} Life
 * `isLasting` where nothing is left open, as it would be kept for ever. */

const WORKERS = 8
const RECIPIENTS = [{ token: seed.accounts[1]?.recipientToken, share: 30 }]

/**
 * Makes payments with all that belongs to them, several at once, until the sandbox is gone.
 *
 * @param {Life} life
 */
export async function makePayments(life) {
  const workers = Array.from({ length: WORKERS }, async (_nothing, number) => {
    // One alone, so that of two changes of the same thing it is known which was the last.
    while (!life.isOver()) {
      await life.pace?.()
      await (number === 0 && life.random.chance(0.3) ? changeOtherState(life) : payOnce(life))
    }
  })
  await Promise.all(workers)
}

/** @param {Life} life */
async function payOnce(life) {
  const { random, ledger } = life
  const unanswered = ledger.payments.findLast(({ asked, created }) => asked === 1 && created.length === 0)
  // Whoever got no answer asks again, and then there may be two.
  const payment = unanswered && random.chance(0.5) ? unanswered : nextPayment(life)
  const link = await createLink(life, payment)
  if (!link || life.isOver()) return
  await payOrCancel(life, link)
  if (!life.isOver() && link.may.size === 1 && link.may.has('paid')) await refundResendReplay(life, link)
}

/**
 * @param {Life} life
 * @returns {Payment}
 */
function nextPayment({ ledger, random, origin, url }) {
  const kinds = KINDS.filter((_kind, index) => random.chance(index < 2 ? 0.5 : 0.12))
  const targets = kinds.map((kind) => `${origin}/${kind}`)
  if (random.chance(0.15)) targets.push(`${url}/tunnel/crash`)
  if (targets.length === 0) targets.push(`${origin}/fast`)
  const payment = {
    order: `order-${ledger.payments.length + 1}`,
    amount: 100 * (1 + random.below(500)),
    targets,
    asked: 0,
    created: [],
  }
  ledger.payments.push(payment)
  return payment
}

/**
 * @param {Life} life
 * @param {Payment} payment
 */
async function createLink({ caller, ledger, random, origin }, payment) {
  payment.asked++
  const answer = await caller.api('createSplitLink', {
    amount: payment.amount / 100,
    recipients: RECIPIENTS,
    recipient_note: payment.order,
    payment_endpoint: payment.targets.join(','),
    ...(random.chance(0.5) ? { callback_url: `${origin}/thanks` } : {}),
  })
  if (answer?.body?.ResponseCode !== 1) return undefined
  const { id } = answer.body.data
  const link = addLink(ledger, payment, { id, payId: id, text: answer.text })
  expectEvent(link, 'api.request')
  return link
}

/**
 * @param {Life} life
 * @param {Created} link
 */
async function payOrCancel(life, link) {
  const { random, caller } = life
  const path = `/links/${link.id}`
  const choice = random.below(100)
  const { pathname, search } = new URL(JSON.parse(link.text).data.pay_link)
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
      life.ledger.unexpected.push(`Link ${link.id} was paid ${times} times by three who tried at once.`)
    }
    expectStatus(link, 'paid', answers)
  } else if (choice < 80) expectStatus(link, 'cancelled', [await cancel()])
  else if (choice < 85) {
    const declined = await decline()
    if (declined) expectEvent(link, 'link.declined')
    expectStatus(link, 'paid', [await pay()])
  } else if (choice < 97) {
    const announced = await caller.control('POST', `${path}/pay`, {
      method: 'bank-transfer',
      wait: 'accepted',
    })
    expectStatus(link, 'awaiting-transfer', [announced])
    if (!announced || life.isOver() || (!life.isLasting && random.chance(0.2))) return
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
 * A success says what the link is now; an answer that never came, what else it may be.
 *
 * @param {Created} link
 * @param {string} status
 * @param {readonly Answer[]} answers
 */
function expectStatus(link, status, answers) {
  link.isTouched = true
  if (answers.some((answer) => answer && answer.status < 400)) link.may = new Set([status])
  else if (answers.includes(undefined)) link.may.add(status)
}

/**
 * What is asked about a payment once it is made.
 *
 * @param {Life} life
 * @param {Created} link
 */
async function refundResendReplay({ caller, ledger, random, isLasting }, link) {
  link.isTouched = true
  if (random.chance(0.4)) {
    const most = random.pick([1, 1, 2, 4])
    const amounts = Array.from({ length: most }, () => 1 + random.below(link.payment.amount * 1.2))
    await Promise.all(
      amounts.map(async (amount) => {
        const asked = { amount, success: /** @type {boolean | undefined} */ (undefined) }
        link.refunds.push(asked)
        const answer = await caller.api(
          'refundPayment',
          { pay_id: link.payId, refund_amount: amount / 100 },
          ['Refund already requested', ...(amount > link.payment.amount ? ['Invalid refund amount'] : [])],
        )
        asked.success = answer && answer.body?.ResponseCode === 1
        if (!asked.success) return
        expectEvent(link, 'api.request')
        expectEvent(link, 'refund.requested')
      }),
    )
    const isPossible = amounts.some((amount) => amount <= link.payment.amount)
    if (isPossible && link.refunds.every(({ success }) => success === false)) {
      ledger.unexpected.push(`Link ${link.id} is paid, and none of ${most} refunds was accepted.`)
    }
    if (link.refunds.some(({ success }) => success) && (isLasting || random.chance(0.5))) {
      const verdict = random.pick(['approve', 'reject'])
      const answer = await caller.control('POST', `/refunds/${link.payId}/${verdict}`)
      if (answer?.status === 200) {
        link.reviewed = verdict === 'approve' ? 'approved' : 'rejected'
        expectEvent(link, `refund.${link.reviewed}`)
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
 * What people do beside payments: snapshots, pins, behaviors, faults, looking around.
 *
 * @param {Life} life
 */
async function changeOtherState({ caller, ledger, random, origin, url, isLasting }) {
  const { answered } = ledger
  const choice = isLasting ? 2 + random.below(5) : random.below(6)
  if (choice === 0) {
    const name = random.pick(['one', 'two'])
    await (random.chance(0.4) ? deleteSnapshot(caller, ledger, name) : takeSnapshot(caller, ledger, name))
  } else if (choice === 1) {
    const newest = await caller.control('GET', '/events?limit=1')
    const seq = newest?.body?.events?.[0]?.seq
    if (seq === undefined) return
    const answer = await caller.control('PUT', `/events/${seq}/pin`)
    if (answer?.status === 204) answered.pins.add(seq)
  } else if (choice === 2) {
    const statusText = random.pick(['documented', 'lowercase'])
    const answer = await caller.control('PATCH', '/behaviors', { statusText })
    if (answer?.status === 200) answered.statusText = new Set([statusText])
    else answered.statusText.add(statusText)
  } else if (choice === 3) {
    const script = random.pick(['503,200', 'drop', 'duplicate'])
    await caller.control('POST', '/faults', { on: 'webhook', script, target: `${origin}/struck` })
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
 * @param {Ledger} ledger
 * @param {string} name
 */
async function takeSnapshot(caller, { answered: { snapshots } }, name) {
  const answer = await caller.control('POST', '/snapshots', { name, replace: true })
  if (answer) snapshots.set(name, 'there')
  // What it would have replaced is there in either case.
  else if (snapshots.get(name) !== 'there') snapshots.set(name, 'unknown')
}

/**
 * @param {Caller} caller
 * @param {Ledger} ledger
 * @param {string} name
 */
async function deleteSnapshot(caller, { answered: { snapshots }, unexpected }, name) {
  const before = snapshots.get(name) ?? 'gone'
  const answer = await caller.control(
    'DELETE',
    `/snapshots/${name}`,
    undefined,
    before === 'there' ? [] : [404],
  )
  if (answer?.status === 204 && before === 'gone') unexpected.push(`Snapshot ${name} was deleted twice.`)
  if (answer) snapshots.set(name, 'gone')
  else if (before === 'there') snapshots.set(name, 'unknown')
}
