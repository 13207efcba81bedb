import { checkRefund } from './check-refund.js'
import { one, firstCompleteSeq } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').Known} Known */
/** @typedef {import('./expected-state.js').Ledger} Ledger */
/** @typedef {ReturnType<Ledger['links']>[number]} Link */

/** So many of the links that were seen already are looked at again each time. All of them are in the end. */
const RECHECKED_LINKS = 100

const OUTCOMES = { paid: 'link.paid', cancelled: 'link.cancelled' }

/**
 * @param {Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
export function checkLinks(db, { ledger, keep, isSettled, random }, wrong) {
  for (const { order, asked, created } of ledger.payments) {
    if (created.length <= asked) continue
    wrong.push(`${order} was asked for ${asked} times and is there ${created.length} times.`)
  }
  const links = ledger.links()
  const there = one(db, 'select count(*) from link')
  if (there !== links.length) wrong.push(`There are ${there} links, and ${links.length} were asked for.`)

  const from = firstCompleteSeq(db, keep)
  const found = createLinkQueries(db)
  for (const link of links) {
    if (!link.isTouched && !isSettled && !random.chance(RECHECKED_LINKS / links.length)) continue
    link.isTouched = false
    const name = `Link ${link.id} (${link.payment.order})`
    const row = found.row(link.id)
    if (!row) {
      wrong.push(`${name} was answered and is not there.`)
      continue
    }
    checkRow(name, link, row, wrong)
    const refund = found.refund(link.id)
    const sent = found.sent(link.id)
    const events = found.events(link.id)
    const isWhole = link.after + 1 >= from
    checkOutcome(name, row.status, events, isWhole, wrong)
    if (isWhole) {
      if (link.text !== '' && found.answer(link.id) !== link.text) {
        wrong.push(`${name}: the journal does not have the answer that was given.`)
      }
      checkEvents(name, link, { events, sent, refund }, wrong)
    }
    checkDeliveryCounts(name, link, row.status, sent, wrong)
    checkRefund(name, link, row, refund, wrong)
  }
}

/**
 * What a database has of a link.
 *
 * @param {Database} db
 */
function createLinkQueries(db) {
  const row = db.prepare('select * from link where id = ?')
  const refund = db.prepare('select amount, state from refund where linkId = ?')
  const events = db.prepare('select type, count(*) times from event where linkId = ? group by type')
  const sent = db.prepare(
    'select cause, count(*) times, sum(attempts) attempts from delivery where linkId = ? group by cause',
  )
  const answer = db.prepare(
    "select json_extract(exchange, '$.response.body.content') from event where linkId = ? and type = 'api.request' order by seq limit 1",
  )
  return {
    /** @type {(id: number) => any} */
    row: (id) => row.get(id),
    /** @type {(id: number) => any} */
    refund: (id) => refund.get(id),
    /** @type {(id: number) => Map<string, number>} how often each type of event is there */
    events: (id) => new Map(/** @type {any[]} */ (events.all(id)).map(({ type, times }) => [type, times])),
    /** @type {(id: number) => Sent} */
    sent: (id) => /** @type {any[]} */ (sent.all(id)),
    /** @type {(id: number) => unknown} */
    answer: (id) => answer.pluck().get(id),
  }
}

/** @typedef {readonly { cause: string, times: number, attempts: number }[]} Sent */

/**
 * @param {string} name
 * @param {Link} link
 * @param {any} row
 * @param {string[]} wrong
 */
function checkRow(name, link, row, wrong) {
  const { payment, payId, may } = link
  if (row.amount !== payment.amount || row.note !== payment.order || row.payId !== payId) {
    wrong.push(`${name} is not what was answered: ${JSON.stringify(row)}.`)
  }
  if (!may.has(row.status)) {
    wrong.push(`${name} is ${row.status}, and was answered to be ${[...may].join(' or ')}.`)
  }
  // What was not known is known now, and stays so.
  link.may = new Set([row.status])
}

/**
 * @param {string} name
 * @param {string} is
 * @param {Map<string, number>} events
 * @param {boolean} isWhole
 * @param {string[]} wrong
 */
function checkOutcome(name, is, events, isWhole, wrong) {
  for (const [status, type] of Object.entries(OUTCOMES)) {
    const times = events.get(type) ?? 0
    const wanted = is === status ? 1 : 0
    if (times > wanted || (isWhole && times !== wanted)) {
      wrong.push(`${name} is ${is}, and the journal has ${type} ${times} times.`)
    }
  }
}

/**
 * Of a link of whose events retention has taken none.
 *
 * @param {string} name
 * @param {Link} link
 * @param {{ events: Map<string, number>, sent: Sent, refund: any }} found
 * @param {string[]} wrong
 */
function checkEvents(name, { told }, { events, sent, refund }, wrong) {
  /** @param {'times' | 'attempts'} figure */
  const sum = (figure) => sent.reduce((total, cause) => total + cause[figure], 0)
  const exactly = {
    'link.created': 1,
    'delivery.queued': sum('times'),
    'delivery.attempted': sum('attempts'),
    'refund.requested': refund ? 1 : 0,
    'refund.approved': refund?.state === 'approved' ? 1 : 0,
    'refund.rejected': refund?.state === 'rejected' ? 1 : 0,
  }
  for (const [type, wanted] of Object.entries(exactly)) {
    const times = events.get(type) ?? 0
    if (times !== wanted) wrong.push(`${name}: the journal has ${type} ${times} times, not ${wanted}.`)
  }
  for (const [type, least] of told) {
    const times = events.get(type) ?? 0
    if (times < least) wrong.push(`${name}: the journal has ${type} ${times} times of ${least}.`)
  }
}

/**
 * @param {string} name
 * @param {Link} link
 * @param {string} status
 * @param {Sent} sent
 * @param {string[]} wrong
 */
function checkDeliveryCounts(name, { payment, resends, replays }, status, sent, wrong) {
  const of = (/** @type {string} */ cause) => sent.find((group) => group.cause === cause)?.times ?? 0
  const wanted = Object.hasOwn(OUTCOMES, status) ? payment.targets.length : 0
  if (of('outcome') !== wanted)
    wrong.push(`${name} is ${status}, and has ${of('outcome')} deliveries of ${wanted}.`)
  checkRange(`${name}: resends`, of('resend'), resends, payment.targets.length, wrong)
  checkRange(`${name}: replays`, of('replay'), replays, 1, wrong)
}

/**
 * @param {string} what
 * @param {number} number
 * @param {import('./expected-state.js').Range} range
 * @param {number} each
 * @param {string[]} wrong
 */
function checkRange(what, number, range, each, wrong) {
  if (number < range.least || number > range.most || number % each !== 0) {
    wrong.push(`${what} should be ${range.least} to ${range.most}, ${each} at once, and are ${number}.`)
  }
  range.least = range.most = number
}
