import { checkRefund } from './check-refund.js'
import { firstCompleteSeq, one } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').CheckContext} CheckContext */
/** @typedef {import('./expected-state.js').ExpectedLink} ExpectedLink */
/** @typedef {readonly { cause: string, count: number, attempts: number }[]} DeliveryCounts */

/** How many unchanged links are checked again each time, on average. At the end, all links are checked. */
const RECHECKED_LINKS = 100

/** The event of each final status. */
const FINAL_EVENTS = { paid: 'link.paid', cancelled: 'link.cancelled' }

/**
 * @param {Database} db
 * @param {CheckContext} context
 * @param {string[]} problems
 */
export function checkLinks(db, { expected, keep, isSettled, random }, problems) {
  for (const { order, requests, links } of expected.payments) {
    if (links.length <= requests) continue
    problems.push(`The link of ${order} was requested ${requests} times, but exists ${links.length} times.`)
  }
  const links = expected.links()
  checkIds(links, problems)
  const count = one(db, 'select count(*) from link')
  if (count !== links.length) problems.push(`There are ${count} links instead of ${links.length}.`)

  const first = firstCompleteSeq(db, keep)
  const queries = createLinkQueries(db)
  for (const link of links) {
    if (!link.hasChanged && !isSettled && !random.chance(RECHECKED_LINKS / links.length)) continue
    link.hasChanged = false
    const name = `Link ${link.id} (${link.payment.order})`
    const row = queries.row(link.id)
    if (!row) {
      problems.push(`${name} was answered, but is missing.`)
      continue
    }
    checkRow(name, link, row, problems)
    const refund = queries.refund(link.id)
    const deliveries = queries.deliveries(link.id)
    const events = queries.events(link.id)
    const hasAllEvents = link.createdAfter + 1 >= first
    checkFinalEvents(name, row.status, events, hasAllEvents, problems)
    if (hasAllEvents) {
      if (link.answerText !== '' && queries.answer(link.id) !== link.answerText) {
        problems.push(`${name}: the journal does not contain the answer that was sent.`)
      }
      checkEvents(name, link, { events, deliveries, refund }, problems)
    }
    checkDeliveryCounts(name, link, row.status, deliveries, problems)
    checkRefund(name, link, row, refund, problems)
  }
}

/**
 * @param {readonly ExpectedLink[]} links
 * @param {string[]} problems
 */
function checkIds(links, problems) {
  for (const [name, key] of /** @type {const} */ ([
    ['id', 'id'],
    ['pay_id', 'payId'],
  ])) {
    /** @type {Map<number, string>} */
    const orders = new Map()
    for (const { [key]: id, payment } of links) {
      const other = orders.get(id)
      if (other !== undefined)
        problems.push(`The ${name} ${id} was answered for ${other} and for ${payment.order}.`)
      orders.set(id, payment.order)
    }
  }
}

/**
 * What the database contains about a link.
 *
 * @param {Database} db
 */
function createLinkQueries(db) {
  const row = db.prepare('select * from link where id = ?')
  const refund = db.prepare('select amount, state from refund where linkId = ?')
  const events = db.prepare('select type, count(*) count from event where linkId = ? group by type')
  const deliveries = db.prepare(
    'select cause, count(*) count, sum(attempts) attempts from delivery where linkId = ? group by cause',
  )
  const answer = db.prepare(
    "select responseBody from event where linkId = ? and type = 'api.request' order by seq limit 1",
  )
  return {
    /** @type {(id: number) => any} */
    row: (id) => row.get(id),
    /** @type {(id: number) => any} */
    refund: (id) => refund.get(id),
    /** @type {(id: number) => Map<string, number>} the number of events by type */
    events: (id) => new Map(/** @type {any[]} */ (events.all(id)).map(({ type, count }) => [type, count])),
    /** @type {(id: number) => DeliveryCounts} */
    deliveries: (id) => /** @type {any[]} */ (deliveries.all(id)),
    /** @type {(id: number) => unknown} */
    answer: (id) => answer.pluck().get(id),
  }
}

/**
 * @param {string} name
 * @param {ExpectedLink} link
 * @param {any} row
 * @param {string[]} problems
 */
function checkRow(name, link, row, problems) {
  const { payment, payId, statuses } = link
  if (row.amount !== payment.amount || row.note !== payment.order || row.payId !== payId) {
    problems.push(`${name} differs from the answer: ${JSON.stringify(row)}.`)
  }
  if (!statuses.has(row.status)) {
    problems.push(`${name} is ${row.status} instead of ${[...statuses].join(' or ')}.`)
  }
  // From now on, only the stored status is possible.
  link.statuses = new Set([row.status])
}

/**
 * @param {string} name
 * @param {string} status
 * @param {Map<string, number>} events
 * @param {boolean} hasAllEvents
 * @param {string[]} problems
 */
function checkFinalEvents(name, status, events, hasAllEvents, problems) {
  for (const [finalStatus, type] of Object.entries(FINAL_EVENTS)) {
    const count = events.get(type) ?? 0
    const wanted = status === finalStatus ? 1 : 0
    if (count > wanted || (hasAllEvents && count !== wanted)) {
      problems.push(`${name} is ${status}, but the journal contains ${type} ${count} times.`)
    }
  }
}

/**
 * Checks the number of events of a link. Retention must not have removed any of them.
 *
 * @param {string} name
 * @param {ExpectedLink} link
 * @param {{ events: Map<string, number>, deliveries: DeliveryCounts, refund: any }} found
 * @param {string[]} problems
 */
function checkEvents(name, { minEvents }, { events, deliveries, refund }, problems) {
  /** @param {'count' | 'attempts'} key */
  const sum = (key) => deliveries.reduce((total, cause) => total + cause[key], 0)
  const exactCounts = {
    'link.created': 1,
    'delivery.queued': sum('count'),
    'delivery.attempted': sum('attempts'),
    'refund.requested': refund ? 1 : 0,
    'refund.approved': refund?.state === 'approved' ? 1 : 0,
    'refund.rejected': refund?.state === 'rejected' ? 1 : 0,
  }
  for (const [type, wanted] of Object.entries(exactCounts)) {
    const count = events.get(type) ?? 0
    if (count !== wanted)
      problems.push(`${name}: the journal contains ${type} ${count} times instead of ${wanted}.`)
  }
  for (const [type, min] of minEvents) {
    const count = events.get(type) ?? 0
    if (count < min)
      problems.push(`${name}: the journal contains ${type} ${count} times instead of at least ${min}.`)
  }
}

/**
 * @param {string} name
 * @param {ExpectedLink} link
 * @param {string} status
 * @param {DeliveryCounts} deliveries
 * @param {string[]} problems
 */
function checkDeliveryCounts(name, { payment, resends, replays }, status, deliveries, problems) {
  const countOf = (/** @type {string} */ cause) =>
    deliveries.find((group) => group.cause === cause)?.count ?? 0
  const wanted = Object.hasOwn(FINAL_EVENTS, status) ? payment.targets.length : 0
  if (countOf('outcome') !== wanted)
    problems.push(`${name} is ${status}, but has ${countOf('outcome')} deliveries instead of ${wanted}.`)
  checkRange(`${name}: resends`, countOf('resend'), resends, payment.targets.length, problems)
  checkRange(`${name}: replays`, countOf('replay'), replays, 1, problems)
}

/**
 * @param {string} what
 * @param {number} count
 * @param {import('./expected-state.js').Range} range
 * @param {number} each how many deliveries one request causes
 * @param {string[]} problems
 */
function checkRange(what, count, range, each, problems) {
  if (count < range.min || count > range.max || count % each !== 0) {
    problems.push(`${what}: ${count} instead of ${range.min} to ${range.max} in steps of ${each}.`)
  }
  range.min = range.max = count
}
