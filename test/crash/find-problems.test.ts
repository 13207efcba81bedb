import { beforeAll, expect, test } from 'vitest'
import { connectSandbox } from '../../server/package/index.ts'
import { followStream } from '../support/follow-stream.ts'
import { openSandbox } from '../support/sandbox.ts'
import { createCaller } from './caller.ts'
import { createExpectedState, linksOf, type ExpectedLink } from './expected-state.ts'
import { findProblems, nameOf, type Compared } from './find-problems.ts'
import { makePayments } from './load.ts'
import { createRandom } from './random.ts'
import { readState, type DeliveryRow, type EventRow, type RefundRow } from './read-state.ts'
import { startReceivers } from './receivers.ts'
import { settle } from './run.ts'
import { createStreamComparison, type StreamedEvent } from './streams.ts'

const ANSWERS = 400
let run: Compared
let events: StreamedEvent[]

/** The load of the crash runs, on a sandbox that is never killed. */
beforeAll(async () => {
  const expected = createExpectedState()
  await using receivers = await startReceivers()
  const { origin, arrivals } = receivers
  await using sandbox = await openSandbox({ keep: 100_000, behaviors: { retries: '1s,1s' } })
  const { url } = sandbox
  // Loads the control API in advance. On a busy machine, loading takes longer than the time limit of connecting.
  await fetch(`${url}/_sandbox/v1/info`)
  await using handle = await connectSandbox(url)
  await handle.tunnels.listen({ tunnel: 'crash', forwardTo: `${origin}/tunnel` })
  await using stream = await followStream(url)
  let left = ANSWERS
  const { problems } = expected
  await using caller = createCaller({ url, up: async () => {}, onAnswer: () => void left--, problems })
  await makePayments({ caller, expected, random: createRandom(1), origin, url, isOver: () => left <= 0 })
  await caller.control('POST', '/snapshots', { name: 'three' })
  expected.snapshots.set('three', 'present')
  await settle(caller)
  const stored = await readState(caller, url)
  const last = stored.event.at(-1)!.seq
  await stream.until(() => stream.seqs().at(-1)! >= last)
  events = stream.messages
    .flatMap((message) => (message.type === 'events' ? message.events : []))
    // The snapshot does not contain the event about the snapshot.
    .filter(({ seq }) => seq <= last)
  const streamed = { after: 0, last, types: new Map(events.map(({ seq, type }) => [seq, type])) }
  const rest = { keep: 100_000, isSettled: true, refusesWebhooks: false }
  run = { expected, stored, streamed, arrivals, origin, url, ...rest }
})

/** A copy of the run, which a test can spoil. */
type Copy = Compared

const deliveryWhere = ({ stored }: Copy, isWanted: (delivery: DeliveryRow) => boolean): DeliveryRow =>
  stored.delivery.find(isWanted)!

const isTo = (delivery: DeliveryRow, kind: string): boolean => delivery.target.endsWith(`/${kind}`)

/** A delivery to a receiver that got no other webhook of the same payment. */
const onlyDelivery = (copy: Copy, kind = 'fast'): DeliveryRow =>
  deliveryWhere(
    copy,
    (one) =>
      isTo(one, kind) &&
      copy.stored.delivery.every(({ linkId, cause }) => linkId !== one.linkId || cause === 'outcome'),
  )

const linkById = ({ expected }: Copy, wanted: number): ExpectedLink =>
  linksOf(expected).find(({ id }) => id === wanted)!

/** The link of this delivery. */
const plainLink = (copy: Copy): ExpectedLink => linkById(copy, onlyDelivery(copy).linkId)

const decidedRefund = ({ stored }: Copy): RefundRow => stored.refund.find(({ state }) => state !== 'pending')!

const eventOf = ({ stored }: Copy, wanted: string, link: number): EventRow =>
  stored.event.find(({ type, linkId }) => type === wanted && linkId === link)!

const linkRow = ({ stored }: Copy, wanted: number) => stored.link.find(({ id }) => id === wanted)!

const remove = <Row>(rows: Row[], isRemoved: (row: Row) => boolean): void =>
  void rows.splice(0, rows.length, ...rows.filter((row) => !isRemoved(row)))

/** Changes a copy of the run, and returns the problem that the crash test must find. */
type Spoil = (copy: Copy) => string

const links: Record<string, Spoil> = {
  'an answered link is missing'(copy) {
    const link = plainLink(copy)
    remove(copy.stored.link, ({ id }) => id === link.id)
    return `${nameOf(link)} was answered, but is missing.`
  },
  'two links have the same id'({ expected }) {
    const [first, second] = linksOf(expected)
    second!.id = first!.id
    return `The id ${first!.id} was answered for ${first!.payment.order} and for ${second!.payment.order}.`
  },
  'two links have the same pay_id'({ expected }) {
    const [first, second] = linksOf(expected)
    second!.payId = first!.payId
    return `The payId ${first!.payId} was answered for ${first!.payment.order} and for ${second!.payment.order}.`
  },
  'a link exists that nobody requested'(copy) {
    const { link } = copy.stored
    link.push({ ...link[0]!, id: 9_999_999, payId: 9_999_999, note: 'unknown order' })
    return `There are ${link.length} links instead of ${link.length - 1}.`
  },
  'a link exists more often than it was requested'(copy) {
    const { payment, id } = plainLink(copy)
    const { length } = payment.links
    copy.stored.link.push({ ...linkRow(copy, id), id: 9_999_999, payId: 9_999_999 })
    payment.links = []
    return `The link of ${payment.order} was requested ${length} times, but exists ${length + 1} times.`
  },
  'the amount of a link has changed'(copy) {
    const link = plainLink(copy)
    linkRow(copy, link.id).amount += 1
    return `${nameOf(link)} differs from the answer: `
  },
  'a payment is lost'(copy) {
    const link = plainLink(copy)
    const [status] = link.statuses
    linkRow(copy, link.id).status = 'unused'
    return `${nameOf(link)} is unused instead of ${status}.`
  },
  'a link was paid twice'(copy) {
    const link = linkById(copy, copy.stored.link.find(({ status }) => status === 'paid')!.id)
    copy.stored.event.push({ ...eventOf(copy, 'link.paid', link.id) })
    return `${nameOf(link)} is paid, but the journal contains link.paid 2 times.`
  },
  'the webhook of a payment was never queued'(copy) {
    const delivery = onlyDelivery(copy)
    const count = copy.stored.delivery.filter(({ linkId }) => linkId === delivery.linkId).length
    const link = linkById(copy, delivery.linkId)
    remove(copy.stored.delivery, ({ id }) => id === delivery.id)
    return `${nameOf(link)} is ${linkRow(copy, link.id).status}, but has ${count - 1} deliveries instead of ${count}.`
  },
  'a resend is lost'(copy) {
    const link = linkById(copy, deliveryWhere(copy, ({ cause }) => cause === 'resend').linkId)
    const { min, max } = link.resends
    remove(copy.stored.delivery, ({ cause, linkId }) => cause === 'resend' && linkId === link.id)
    return `${nameOf(link)}: resends: 0 instead of ${min} to ${max} in steps of ${link.payment.targets.length}.`
  },
  'a replay is lost'(copy) {
    const link = linkById(copy, deliveryWhere(copy, ({ cause }) => cause === 'replay').linkId)
    const { min, max } = link.replays
    remove(copy.stored.delivery, ({ cause, linkId }) => cause === 'replay' && linkId === link.id)
    return `${nameOf(link)}: replays: 0 instead of ${min} to ${max} in steps of 1.`
  },
}

const journal: Record<string, Spoil> = {
  'the journal has a gap'(copy) {
    const { seq } = eventOf(copy, 'link.created', plainLink(copy).id)
    remove(copy.stored.event, (event) => event.seq === seq)
    return `The journal misses 1 events between 1 and ${copy.stored.event.at(-1)!.seq}.`
  },
  'a stream sent an event that the journal lacks'(copy) {
    const { seq, type } = eventOf(copy, 'link.created', plainLink(copy).id)
    remove(copy.stored.event, (event) => event.seq === seq)
    return `The stream sent event ${seq} as ${type}, but the journal has no such event.`
  },
  'a stream sent an event that differs from the journal'(copy) {
    const { seq, type } = eventOf(copy, 'link.created', plainLink(copy).id)
    copy.streamed.types.set(seq, 'link.paid')
    return `The stream sent event ${seq} as link.paid, but the journal has ${type}.`
  },
  'a stream skipped an event'({ streamed }) {
    streamed.types.delete(10)
    return `The stream skipped event 10 before ${streamed.last}.`
  },
  'an answer differs from the recorded one'(copy) {
    const link = plainLink(copy)
    eventOf(copy, 'api.request', link.id).responseBody = '{}'
    return `${nameOf(link)}: the journal does not contain the answer that was sent.`
  },
  'an event of a link is missing'(copy) {
    const link = plainLink(copy)
    const { seq } = eventOf(copy, 'link.created', link.id)
    remove(copy.stored.event, (event) => event.seq === seq)
    return `${nameOf(link)}: the journal contains link.created 0 times instead of 1.`
  },
  'an event that an answer implied is missing'(copy) {
    const { seq, linkId } = copy.stored.event.find(({ type }) => type === 'link.declined')!
    remove(copy.stored.event, (event) => event.seq === seq)
    return `${nameOf(linkById(copy, linkId!))}: the journal contains link.declined 0 times instead of at least 1.`
  },
}

const refunds: Record<string, Spoil> = {
  'an accepted refund is missing'(copy) {
    const { linkId } = decidedRefund(copy)
    remove(copy.stored.refund, (refund) => refund.linkId === linkId)
    return `${nameOf(linkById(copy, linkId))}: a refund was accepted, but is missing.`
  },
  'two refunds of a payment were accepted'(copy) {
    const link = linkById(copy, decidedRefund(copy).linkId)
    link.refunds.push({ amount: 1, success: true })
    return `${nameOf(link)}: 2 refunds were accepted.`
  },
  'a refund is larger than its payment'(copy) {
    const refund = decidedRefund(copy)
    const link = linkById(copy, refund.linkId)
    const { amount } = link.payment
    refund.amount = amount + 1
    return `${nameOf(link)}: ${amount + 1} of ${amount} cents are refunded.`
  },
  'a link that is not paid has a refund'(copy) {
    const { linkId } = decidedRefund(copy)
    linkRow(copy, linkId).status = 'cancelled'
    return `${nameOf(linkById(copy, linkId))} is cancelled, but has a refund.`
  },
  'a refund has an amount that was not accepted'(copy) {
    const refund = decidedRefund(copy)
    refund.amount = 1
    return `${nameOf(linkById(copy, refund.linkId))}: there is a refund of 1 cents that was not accepted.`
  },
  'the decision about a refund is lost'(copy) {
    const refund = decidedRefund(copy)
    const { state } = refund
    refund.state = 'pending'
    return `${nameOf(linkById(copy, refund.linkId))}: the refund is pending, but was answered to be ${state}.`
  },
}

const deliveries: Record<string, Spoil> = {
  'a delivery is done without an attempt'(copy) {
    const delivery = onlyDelivery(copy)
    delivery.attempts = 0
    return `Delivery ${delivery.id} is delivered without an attempt.`
  },
  'a webhook was never sent'(copy) {
    const delivery = onlyDelivery(copy)
    delivery.state = 'pending'
    return `Delivery ${delivery.id} is still pending at the end.`
  },
  'an attempt was not recorded'(copy) {
    const { id } = onlyDelivery(copy)
    remove(copy.stored.event, (event) => event.deliveryId === id && event.type === 'delivery.attempted')
    return `Delivery ${id} has 1 attempts, but the journal has 0.`
  },
  'a webhook did not arrive'(copy) {
    const { payId } = onlyDelivery(copy)
    copy.arrivals.get('fast')!.delete(payId)
    return `fast received 0 webhooks of payment ${payId}, but there were 1 attempts.`
  },
  'a webhook through a tunnel did not arrive'(copy) {
    const { payId } = onlyDelivery(copy, 'crash')
    copy.arrivals.get('tunnel')!.delete(payId)
    return `tunnel received 0 webhooks of payment ${payId}, but there were 1 attempts.`
  },
  'a webhook arrived twice without a mark'(copy) {
    const { payId } = onlyDelivery(copy)
    copy.arrivals.get('fast')!.set(payId, 2)
    return `fast received 2 webhooks of payment ${payId}, but only 1 attempts are recorded, and none as a possible duplicate.`
  },
  'webhooks arrived in another sequence'({ arrivals }) {
    const counts = arrivals.get('fast')!
    const [[first, count]] = [...counts] as [[number, number]]
    counts.delete(first)
    counts.set(first, count)
    return `fast received payment ${first} after a later one.`
  },
  'a delivery failed at a receiver that accepts all'(copy) {
    const delivery = onlyDelivery(copy)
    delivery.state = 'failed'
    return `fast: a delivery of payment ${delivery.payId} ended failed instead of delivered.`
  },
  'a delivery failed before its last attempt'(copy) {
    const delivery = onlyDelivery(copy, 'failing')
    delivery.attempts = 2
    return `failing: 1 deliveries of payment ${delivery.payId} have 2 attempts instead of 3.`
  },
}

const otherState: Record<string, Spoil> = {
  'an answered snapshot is missing'({ stored }) {
    stored.snapshots.delete('three')
    return 'Snapshot three was answered, but is missing.'
  },
  'a deleted snapshot still exists'({ expected }) {
    expected.snapshots.set('three', 'deleted')
    return 'Snapshot three was deleted, but still exists.'
  },
  'a snapshot is damaged'({ stored }) {
    stored.snapshots.set('three', '1 of 2 rows')
    return 'Snapshot three is damaged: 1 of 2 rows.'
  },
  'a changed behavior is lost'({ expected, stored }) {
    remove(stored.behavior, ({ name }) => name === 'statusText')
    expected.statusText = new Set(['lowercase'])
    return 'statusText is documented instead of lowercase.'
  },
}

test('the crash test accepts a run that lost nothing', () => {
  expect(run.expected.problems).toEqual([])
  expect(findProblems(structuredClone(run))).toEqual([])
})

test('the crash test accepts a repeated webhook that is marked as a possible duplicate', () => {
  const copy = structuredClone(run)
  const delivery = onlyDelivery(copy)
  delivery.possibleDuplicate = true
  copy.arrivals.get('fast')!.set(delivery.payId, 2)
  expect(findProblems(copy)).toEqual([])
})

test.for([true, false])(
  'the crash test accepts a failed replay through a tunnel if the tunnel can refuse it: %s',
  (refusesWebhooks) => {
    const copy = { ...structuredClone(run), refusesWebhooks }
    const delivery = deliveryWhere(copy, (one) => isTo(one, 'tunnel/crash'))
    Object.assign(delivery, { cause: 'replay', state: 'failed' })
    const problem = `tunnel: a delivery of payment ${delivery.payId} ended failed instead of delivered.`
    expect(findProblems(copy).includes(problem)).toBe(!refusesWebhooks)
  },
)

test.for<[accepts: 'accepts' | 'finds', where: string, answer: string, httpStatus: number | null]>([
  ['accepts', 'tunnel', 'without an answer', null],
  ['finds', 'tunnel', 'with an answer', 200],
  ['finds', 'fast', 'without an answer', null],
  ['finds', 'fast', 'with an answer', 200],
])(
  'the crash test %s a webhook that is repeated to %s after an attempt %s',
  ([accepts, kind, , httpStatus]) => {
    const copy = structuredClone(run)
    const delivery = onlyDelivery(copy, kind === 'tunnel' ? 'tunnel/crash' : kind)
    const attempted = copy.stored.event.find(
      ({ type, deliveryId }) => type === 'delivery.attempted' && deliveryId === delivery.id,
    )!
    delivery.attempts = 2
    copy.stored.event.push({ ...attempted, data: JSON.stringify({ httpStatus }) })
    copy.arrivals.get(kind)!.set(delivery.payId, 2)
    const problem = `${kind}: 1 deliveries of payment ${delivery.payId} have 2 attempts instead of 1.`
    expect(findProblems(copy).includes(problem)).toBe(accepts === 'finds')
  },
)

test('the crash test finds a webhook that is repeated through a tunnel if the journal no longer contains its attempts', () => {
  const copy = structuredClone(run)
  const delivery = onlyDelivery(copy, 'tunnel/crash')
  remove(copy.stored.event, ({ deliveryId }) => deliveryId === delivery.id)
  delivery.attempts = 2
  copy.arrivals.get('tunnel')!.set(delivery.payId, 2)
  expect(findProblems(copy)).toContain(
    `tunnel: 1 deliveries of payment ${delivery.payId} have 2 attempts instead of 1.`,
  )
})

test.for(Object.entries({ ...links, ...journal, ...refunds, ...deliveries, ...otherState }))(
  'the crash test finds that %s',
  ([, spoil]) => {
    const copy = structuredClone(run)
    const problem = spoil(copy)
    expect(findProblems(copy).map((found) => found.slice(0, problem.length))).toContain(problem)
  },
)

/** Sends the events of the run over three streams, each changed by `change`. */
function compareStreams(change: (streams: StreamedEvent[][]) => unknown = () => undefined) {
  const streams = Array.from({ length: 3 }, () => [...events])
  change(streams)
  const problems: string[] = []
  const comparison = createStreamComparison(streams.length, problems)
  // Some streams are faster than others.
  for (const [index, sent] of streams.entries()) for (const event of sent) comparison.add(index, event)
  return { problems, behind: comparison.behind(run.streamed.last) }
}

test('the crash test accepts streams that send the same events', () => {
  expect(compareStreams()).toEqual({ problems: [], behind: [] })
})

test.for<[what: string, change: (streams: StreamedEvent[][]) => unknown, problem: string]>([
  [
    'one stream left an event out',
    ([, one]) => one!.splice(9, 1),
    'Stream 1 skipped the events between 9 and 11.',
  ],
  [
    'one stream sent an event twice',
    ([, , one]) => one!.splice(9, 0, one![8]!),
    'Stream 2 sent event 9 after 9.',
  ],
  [
    'one stream sent events in another sequence',
    ([one]) => one!.splice(9, 2, one![10]!, one![9]!),
    'Stream 0 skipped the events between 9 and 11.',
  ],
  [
    'one stream sent another event',
    ([, one]) => (one![9] = { ...one![9]!, type: 'another.type' }),
    'Stream 1 sent event 10 as ',
  ],
])('the crash test finds that %s', ([, change, problem]) => {
  const { problems } = compareStreams(change)
  expect(problems.map((found) => found.slice(0, problem.length))).toContain(problem)
})

test('the crash test finds a stream that ends early', () => {
  expect(compareStreams(([, one]) => one!.pop()).behind).toEqual([1])
})
