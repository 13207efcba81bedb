import SQLite from 'better-sqlite3'
import { copyFileSync, cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { createCaller } from '../../scripts/crash/caller.js'
import { checkDatabase } from '../../scripts/crash/check-database.js'
import { createStreamComparison } from '../../scripts/crash/compare-streams.js'
import { createExpectedState, type ExpectedLink } from '../../scripts/crash/expected-state.js'
import { makePayments } from '../../scripts/crash/load.js'
import { KINDS, startReceivers } from '../../scripts/crash/receivers.js'
import { settle } from '../../scripts/crash/settle.js'
import { createRandom } from '../../scripts/random.js'
import { connectSandbox } from '../../server/package/index.ts'
import { runSandbox } from '../../server/runtime/sandbox.ts'
import { followStream } from '../support/follow-stream.ts'
import { temporaryFolder } from '../support/process.ts'
import { test } from '../support/test.ts'

const KEEP = 100_000
const ANSWERS = 400
const ARRIVALS = [...KINDS, 'listened'].map((kind) => `/${kind}`)

/** The database, the answers and what arrived, of a sandbox under the load of the crash runs. */
async function runOnce(folder: string) {
  const file = join(folder, 'sandbox.db')
  const expected = createExpectedState()
  const receivers = await startReceivers()
  await using sandbox = await runSandbox({ db: file, keep: KEEP, behaviors: { retries: '1s,1s' } })
  await using handle = await connectSandbox(sandbox.url)
  await handle.tunnels.listen({ tunnel: 'crash', forwardTo: `${receivers.origin}/listened` })
  await using stream = await followStream(sandbox.url)
  let left = ANSWERS
  const caller = createCaller(
    sandbox.url,
    () => void left--,
    (problem) => expected.problems.push(problem),
  )
  const { origin } = receivers
  const load = { caller, expected, random: createRandom(1), origin, url: sandbox.url }
  await makePayments({ ...load, isOver: () => left <= 0 })
  await caller.control('POST', '/snapshots', { name: 'three' })
  expected.other.snapshots.set('three', 'present')
  await settle(caller)
  const newest = await caller.control('GET', '/events?limit=1')
  const last = newest!.body.events[0].seq as number
  await stream.until(() => stream.seqs().at(-1)! >= last)
  await caller.close()
  await receivers.close()
  const events = stream.messages.flatMap((message) => (message.type === 'events' ? message.events : []))
  for (const { seq, type } of events) expected.stream.types.set(seq, type)
  expected.stream.last = last
  const counts = new Map(ARRIVALS.map((path) => [path, receivers.countsAt(path)]))
  return { file, url: sandbox.url, origin, expected, events, counts }
}

const folder = temporaryFolder()
let run: Awaited<ReturnType<typeof runOnce>>

beforeAll(async () => {
  run = await runOnce(folder.path)
})

afterAll(() => folder[Symbol.dispose]())

/** A copy of the run, in which something can be spoiled. */
function copyRun() {
  const file = join(folder.path, 'copy.db')
  rmSync(`${file}.snapshots`, { recursive: true, force: true })
  copyFileSync(run.file, file)
  cpSync(`${run.file}.snapshots`, `${file}.snapshots`, { recursive: true })
  const { links: _links, ...state } = run.expected
  const expected = Object.assign(createExpectedState(), structuredClone(state))
  const counts = structuredClone(run.counts)
  const db = new SQLite(file)
  db.pragma('foreign_keys = off')
  return {
    file,
    db,
    expected,
    counts,
    one: (query: string, ...values: unknown[]) => db.prepare(query).get(...values) as Row,
    /** Runs statements. Each `?` is the same value. */
    write: (statements: string, value?: unknown) => {
      for (const statement of statements.split(';'))
        db.prepare(statement).run(
          ...statement
            .split('?')
            .slice(1)
            .map(() => value),
        )
    },
    linkOf: (id: number) => expected.links().find((link) => link.id === id)!,
    check(refusesWebhooks = false) {
      db.close()
      const receivers = { origin: run.origin, countsAt: (path: string) => counts.get(path) ?? new Map() }
      const { url } = run
      const random = createRandom(1)
      return checkDatabase(file, {
        expected,
        receivers,
        url,
        keep: KEEP,
        isSettled: true,
        refusesWebhooks,
        random,
      })
    },
  }
}

type Copy = ReturnType<typeof copyRun>
type Row = Record<string, number> & { type: string; note: string; order: string }

const nameOf = ({ id, payment }: ExpectedLink): string => `Link ${id} (${payment.order})`

/** A webhook that was delivered at once, to a receiver that got no other one for its payment. */
const plainDelivery = ({ one }: Copy): Row =>
  one(`select * from delivery where target like '%/fast' and attempts = 1
    and linkId not in (select linkId from delivery where cause <> 'outcome') order by id`)

/** The link of such a webhook. */
const plainLink = (copy: Copy): ExpectedLink => copy.linkOf(plainDelivery(copy).linkId!)

const refundedLink = (copy: Copy): ExpectedLink =>
  copy.linkOf(copy.one("select linkId from refund where state <> 'pending'").linkId!)

/** The events that a stream sent about a link. */
const eventOf = ({ one }: Copy, type: string, linkId: number): Row =>
  one('select seq, type from event where type = ? and linkId = ? order by seq', type, linkId)

const countOf = ({ one }: Copy, table: string): number => one(`select count(*) count from ${table}`).count!

test('a run in which nothing was lost has no problem', () => {
  expect(copyRun().check()).toEqual([])
  expect(run.expected.problems).toEqual([])
})

test('a webhook that arrived twice is no problem if it is marked as a possible duplicate', () => {
  const copy = copyRun()
  const { id, payId } = plainDelivery(copy)
  copy.write('update delivery set possibleDuplicate = 1 where id = ?', id)
  copy.counts.get('/fast')!.set(payId!, 2)
  expect(copy.check()).toEqual([])
})

test.for([true, false])('a replay through a tunnel may fail if the tunnel can refuse it: %s', (mayRefuse) => {
  const copy = copyRun()
  const { id, payId } = copy.one("select id, payId from delivery where target like '%/tunnel/crash'")
  copy.write("update delivery set cause = 'replay', state = 'failed' where id = ?", id)
  const problem = `tunnel/crash: a delivery of payment ${payId} ended failed instead of delivered.`
  expect(copy.check(mayRefuse).includes(problem)).toBe(!mayRefuse)
})

/** What is spoiled. Returns the problem that must be found. */
type Spoil = (copy: Copy) => string

const links: Record<string, Spoil> = {
  'an answered link is missing'(copy) {
    const link = plainLink(copy)
    copy.write('delete from link where id = ?', link.id)
    return `${nameOf(link)} was answered, but is missing.`
  },
  'deliveries refer to a missing link'(copy) {
    const { id } = plainLink(copy)
    copy.write('delete from link where id = ?', id)
    const { count } = copy.one('select count(*) count from delivery where linkId = ?', id)
    return `${count} rows refer to missing rows.`
  },
  'two links have the same id'(copy) {
    const [first, second] = copy.expected.links()
    second!.id = first!.id
    return `The id ${first!.id} was answered for ${first!.payment.order} and for ${second!.payment.order}.`
  },
  'two links have the same pay_id'(copy) {
    const [first, second] = copy.expected.links()
    second!.payId = first!.payId
    return `The pay_id ${first!.payId} was answered for ${first!.payment.order} and for ${second!.payment.order}.`
  },
  'a link exists that nobody requested'(copy) {
    const count = countOf(copy, 'link')
    copyLink(copy, plainLink(copy), 'unknown order')
    return `There are ${count + 1} links instead of ${count}.`
  },
  'a link exists more often than it was requested'(copy) {
    const { payment } = plainLink(copy)
    copyLink(copy, payment.links[0]!, payment.order)
    const { length } = payment.links
    payment.requests = length
    payment.links = []
    return `The link of ${payment.order} was requested ${length} times, but exists ${length + 1} times.`
  },
  'the amount of a link has changed'(copy) {
    const link = plainLink(copy)
    copy.write('update link set amount = amount + 1 where id = ?', link.id)
    const row = copy.one('select * from link where id = ?', link.id)
    return `${nameOf(link)} differs from the answer: ${JSON.stringify(row)}.`
  },
  'a payment is lost'(copy) {
    const link = plainLink(copy)
    const status = [...link.statuses][0]!
    copy.write("update link set status = 'unused' where id = ?", link.id)
    return `${nameOf(link)} is unused instead of ${status}.`
  },
  'a link was paid twice'(copy) {
    const link = copy.linkOf(copy.one("select id from link where status = 'paid'").id!)
    const { seq } = eventOf(copy, 'link.paid', link.id)
    copyEvent(copy, seq!)
    return `${nameOf(link)} is paid, but the journal contains link.paid 2 times.`
  },
  'the webhook of a payment was never queued'(copy) {
    const link = plainLink(copy)
    const { count } = copy.one('select count(*) count from delivery where linkId = ?', link.id)
    copy.write('delete from delivery where id = ?', plainDelivery(copy).id)
    const { status } = copy.one('select status from link where id = ?', link.id)
    return `${nameOf(link)} is ${status}, but has ${count! - 1} deliveries instead of ${count}.`
  },
  'a resend is lost'(copy) {
    const link = copy.linkOf(copy.one("select linkId from delivery where cause = 'resend'").linkId!)
    const { min, max } = link.resends
    copy.write("delete from delivery where cause = 'resend' and linkId = ?", link.id)
    return `${nameOf(link)}: resends: 0 instead of ${min} to ${max} in steps of ${link.payment.targets.length}.`
  },
  'a replay is lost'(copy) {
    const link = copy.linkOf(copy.one("select linkId from delivery where cause = 'replay'").linkId!)
    const { min, max } = link.replays
    copy.write("delete from delivery where cause = 'replay' and linkId = ?", link.id)
    return `${nameOf(link)}: replays: 0 instead of ${min} to ${max} in steps of 1.`
  },
}

const journal: Record<string, Spoil> = {
  'the journal has a gap'(copy) {
    const { seq } = eventOf(copy, 'link.created', plainLink(copy).id)
    copy.write('delete from event where seq = ?', seq)
    copy.expected.stream.types.delete(seq!)
    const { newest } = copy.one('select max(seq) newest from event')
    return `The journal misses 1 events between 1 and ${newest}.`
  },
  'a stream sent an event that the journal lacks'(copy) {
    const { seq, type } = eventOf(copy, 'link.created', plainLink(copy).id)
    copy.write('delete from event where seq = ?', seq)
    return `The stream sent event ${seq} as ${type}, but the journal has no such event.`
  },
  'a stream sent another event than the journal has'(copy) {
    const { seq, type } = eventOf(copy, 'link.created', plainLink(copy).id)
    copy.expected.stream.types.set(seq!, 'link.paid')
    return `The stream sent event ${seq} as link.paid, but the journal has ${type}.`
  },
  'a stream skipped an event'(copy) {
    copy.expected.stream.types.delete(10)
    return `The stream skipped event 10 before ${copy.expected.stream.last}.`
  },
  'an answer differs from the recorded one'(copy) {
    const link = plainLink(copy)
    const { seq } = eventOf(copy, 'api.request', link.id)
    copy.write("update event set responseBody = '{}' where seq = ?", seq)
    return `${nameOf(link)}: the journal does not contain the answer that was sent.`
  },
  'an event of a link is missing'(copy) {
    const link = plainLink(copy)
    const { seq } = eventOf(copy, 'link.created', link.id)
    copy.write('delete from event where seq = ?', seq)
    return `${nameOf(link)}: the journal contains link.created 0 times instead of 1.`
  },
  'an event that an answer implied is missing'(copy) {
    const link = copy.linkOf(copy.one("select linkId from event where type = 'link.declined'").linkId!)
    const { seq } = eventOf(copy, 'link.declined', link.id)
    copy.write('delete from event where seq = ?', seq)
    return `${nameOf(link)}: the journal contains link.declined 0 times instead of at least 1.`
  },
}

const refunds: Record<string, Spoil> = {
  'an accepted refund is missing'(copy) {
    const link = refundedLink(copy)
    copy.write('delete from refund where linkId = ?', link.id)
    return `${nameOf(link)}: a refund was accepted, but is missing.`
  },
  'two refunds of a payment were accepted'(copy) {
    const link = refundedLink(copy)
    link.refunds.push({ amount: 1, success: true })
    return `${nameOf(link)}: 2 refunds were accepted.`
  },
  'a refund is larger than its payment'(copy) {
    const link = refundedLink(copy)
    const { amount } = link.payment
    copy.write(`update refund set amount = ${amount + 1} where linkId = ?`, link.id)
    return `${nameOf(link)}: ${amount + 1} of ${amount} cents are refunded.`
  },
  'a link that is not paid has a refund'(copy) {
    const link = refundedLink(copy)
    copy.write("update link set status = 'cancelled' where id = ?", link.id)
    return `${nameOf(link)} is cancelled, but has a refund.`
  },
  'a refund has another amount than the accepted one'(copy) {
    const link = refundedLink(copy)
    copy.write('update refund set amount = 1 where linkId = ?', link.id)
    return `${nameOf(link)}: there is a refund of 1 cents that was not accepted.`
  },
  'the decision about a refund is lost'(copy) {
    const link = refundedLink(copy)
    copy.write("update refund set state = 'pending' where linkId = ?", link.id)
    return `${nameOf(link)}: the refund is pending, but was answered to be ${link.refundState}.`
  },
}

const deliveries: Record<string, Spoil> = {
  'a delivery is done without an attempt'(copy) {
    copy.write('update delivery set attempts = 0 where id = ?', plainDelivery(copy).id)
    return '1 deliveries are done without an attempt.'
  },
  'a webhook was never sent'(copy) {
    copy.write("update delivery set state = 'pending' where id = ?", plainDelivery(copy).id)
    return '1 deliveries are still open at the end.'
  },
  'an attempt was not recorded'(copy) {
    const { id } = plainDelivery(copy)
    copy.write("delete from event where deliveryId = ? and type = 'delivery.attempted'", id)
    return `Delivery ${id} has 1 attempts, but the journal has 0.`
  },
  'a webhook did not arrive'(copy) {
    const { payId } = plainDelivery(copy)
    copy.counts.get('/fast')!.delete(payId!)
    return `fast received 0 webhooks of payment ${payId}, but 1 attempts succeeded or failed.`
  },
  'a webhook through a tunnel did not arrive'(copy) {
    const { payId, attempts } = copy.one(
      `select payId, sum(attempts) attempts from delivery where target like '%/tunnel/crash' group by payId`,
    )
    copy.counts.get('/listened')!.delete(payId!)
    return `tunnel/crash received 0 webhooks of payment ${payId}, but ${attempts} attempts succeeded or failed.`
  },
  'a webhook arrived twice without a mark'(copy) {
    const { payId } = plainDelivery(copy)
    copy.counts.get('/fast')!.set(payId!, 2)
    return `fast received 2 webhooks of payment ${payId}, but only 1 attempts are recorded, and none as a possible duplicate.`
  },
  'webhooks arrived in another order'(copy) {
    const counts = copy.counts.get('/fast')!
    const [[first, count]] = [...counts] as [[number, number]]
    counts.delete(first)
    counts.set(first, count)
    return `fast received payment ${first} after a later one.`
  },
  'a delivery failed at a receiver that accepts all'(copy) {
    const { id, payId } = plainDelivery(copy)
    copy.write("update delivery set state = 'failed' where id = ?", id)
    return `fast: a delivery of payment ${payId} ended failed instead of delivered.`
  },
  'a delivery failed before its last attempt'(copy) {
    const { id, payId } = copy.one(
      `select * from delivery where target like '%/failing' and cause = 'outcome'
       and linkId not in (select linkId from delivery where cause <> 'outcome')`,
    )
    copy.write('update delivery set attempts = 2 where id = ?', id)
    return `failing: 1 deliveries of payment ${payId} have 2 attempts instead of 3.`
  },
}

const files: Record<string, Spoil> = {
  'the database is damaged'(copy) {
    // A foreign page in the tree of an index.
    const { rootpage } = copy.one("select rootpage from sqlite_schema where name = 'eventOfLink'")
    const pageSize = Number(copy.db.pragma('page_size', { simple: true }))
    copy.db.close()
    const bytes = readFileSync(copy.file)
    bytes.fill(0, (rootpage! - 1) * pageSize + 100, rootpage! * pageSize)
    writeFileSync(copy.file, bytes)
    return 'The file is damaged: '
  },
  'an answered snapshot is missing'(copy) {
    rmSync(join(`${copy.file}.snapshots`, 'three.ndjson.gz'))
    return 'Snapshot three was answered, but is missing.'
  },
  'a deleted snapshot still exists'(copy) {
    copy.expected.other.snapshots.set('three', 'deleted')
    return 'Snapshot three was deleted, but still exists.'
  },
  'an incomplete snapshot is left'(copy) {
    writeFileSync(join(`${copy.file}.snapshots`, 'four.tmp'), '')
    return 'An incomplete snapshot is left: four.tmp.'
  },
  'a snapshot is damaged'(copy) {
    const file = join(`${copy.file}.snapshots`, 'three.ndjson.gz')
    const size = statSync(file).size
    truncateSync(file, size - 100)
    return 'Snapshot three.ndjson.gz is damaged: unexpected end of file.'
  },
  'a pin is lost'(copy) {
    copy.expected.other.pins.add(1)
    copy.write('delete from pin where seq = ?', 1)
    return 'Event 1 was pinned, but is missing or not pinned.'
  },
  'a changed behavior is lost'(copy) {
    copy.write("delete from behavior where name = 'statusText'")
    copy.expected.other.statusText = new Set(['lowercase'])
    return 'statusText is documented instead of lowercase.'
  },
}

test.for(Object.entries({ ...links, ...journal, ...refunds, ...deliveries, ...files }))(
  'finds that %s',
  ([, damage]) => {
    const copy = copyRun()
    const problem = damage(copy)
    const problems = copy.check()
    expect(problems.map((found) => found.slice(0, problem.length))).toContain(problem)
  },
)

function copyLink({ db, one }: Copy, { id }: ExpectedLink, note: string): void {
  const row = one('select * from link where id = ?', id)
  const copied = { ...row, id: 9_999_999, payId: 9_999_999, note }
  const names = Object.keys(copied)
  const places = names.map((name) => `@${name}`)
  db.prepare(`insert into link ("${names.join('", "')}") values (${places.join()})`).run(copied)
}

function copyEvent({ db, one }: Copy, seq: number): void {
  const { seq: _seq, ...row } = one('select * from event where seq = ?', seq)
  const names = Object.keys(row)
  const places = names.map((name) => `@${name}`)
  db.prepare(`insert into event ("${names.join('", "')}") values (${places.join()})`).run(row)
}

/** Sends the events of the run over three streams, which another function may change. */
function compareStreams(change: (streams: Event[][]) => unknown = () => undefined) {
  const streams = Array.from({ length: 3 }, () => [...run.events])
  change(streams)
  const problems: string[] = []
  const comparison = createStreamComparison(streams.length, problems)
  // Some streams are faster than others.
  for (const [index, events] of streams.entries()) for (const event of events) comparison.add(index, event)
  return { problems, behind: comparison.behind(run.expected.stream.last) }
}

type Event = (typeof run.events)[number]

test('streams that send the same events have no problem', () => {
  expect(compareStreams()).toEqual({ problems: [], behind: [] })
})

test.for<[what: string, change: (streams: Event[][]) => unknown, problem: string]>([
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
    'one stream sent events in another order',
    ([one]) => one!.splice(9, 2, one![10]!, one![9]!),
    'Stream 0 skipped the events between 9 and 11.',
  ],
  [
    'one stream sent another event',
    ([, one]) => (one![9] = { ...one![9]!, at: 'another time' }),
    'Stream 1 sent event 10 as ',
  ],
])('finds that %s', ([, change, problem]) => {
  const { problems } = compareStreams(change)
  expect(problems.map((found) => found.slice(0, problem.length))).toContain(problem)
})

test('finds a stream that does not reach the end', () => {
  expect(compareStreams(([, one]) => one!.pop()).behind).toEqual([1])
})
