import SQLite from 'better-sqlite3'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { addLink } from './ledger.js'

/** @typedef {import('./ledger.js').Ledger} Ledger */
/** @typedef {import('./ledger.js').Created} Created */
/** @typedef {{ heardAt: (path: string) => Map<number, number>, origin: string }} Receivers */
/** @typedef {import('../random.js').Random} Random */
/** @typedef {{ ledger: Ledger, receivers: Receivers, url: string, keep: number, isSettled: boolean, random: Random }} Known */

/** So many of the links that were seen already are looked at again each time. All of them are in the end. */
const SEEN_AGAIN = 100

/**
 * Holds a database, which a sandbox may be using, against what was asked and answered. Gives what is wrong.
 *
 * @param {string} file
 * @param {Known} known
 * @returns {string[]}
 */
export function check(file, known) {
  const db = new SQLite(file, { readonly: true })
  /** @type {string[]} */
  const wrong = []
  // One state of it, whatever is written meanwhile.
  db.exec('begin')
  try {
    checkFile(db, wrong)
    checkJournal(db, known, wrong)
    findUnanswered(db, known.ledger)
    checkLinks(db, known, wrong)
    checkDeliveries(db, known, wrong)
    checkReceivers(db, known, wrong)
    checkBeside(db, file, known.ledger, wrong)
    known.ledger.head = one(db, 'select coalesce(max(seq), 0) from event')
  } finally {
    db.close()
  }
  return wrong
}

/**
 * @param {SQLite.Database} db
 * @param {string} query
 * @param {...unknown} parameters
 * @returns {any[]}
 */
const all = (db, query, ...parameters) => db.prepare(query).all(...parameters)

/**
 * @param {SQLite.Database} db
 * @param {string} query
 * @param {...unknown} parameters
 * @returns {any}
 */
const one = (db, query, ...parameters) =>
  db
    .prepare(query)
    .pluck()
    .get(...parameters)

/**
 * @param {SQLite.Database} db
 * @param {string[]} wrong
 */
function checkFile(db, wrong) {
  const sound = db.pragma('integrity_check(1)', { simple: true })
  if (sound !== 'ok') wrong.push(`The file is damaged: ${String(sound)}.`)
  const lost = /** @type {unknown[]} */ (db.pragma('foreign_key_check'))
  if (lost.length > 0) wrong.push(`${lost.length} rows refer to rows that are not there.`)
}

/**
 * Below the newest `keep` events retention may have taken some.
 *
 * @param {SQLite.Database} db
 * @param {number} keep
 * @returns {number}
 */
const whole = (db, keep) => one(db, 'select seq from event order by seq desc limit 1 offset ?', keep - 1) ?? 1

/**
 * @param {SQLite.Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
function checkJournal(db, { ledger, keep }, wrong) {
  const from = whole(db, keep)
  const { head, events } = all(db, 'select max(seq) head, count(*) events from event where seq >= ?', from)[0]
  if (head - from + 1 !== events) {
    wrong.push(`The journal has ${head - from + 1 - events} holes between ${from} and ${head}.`)
  }
  checkStream(db, ledger, from, wrong)
}

/**
 * What the stream told is in the journal, and what is in the journal it told, from where it set out.
 *
 * @param {SQLite.Database} db
 * @param {Ledger} ledger
 * @param {number} from
 * @param {string[]} wrong
 */
function checkStream(db, { stream }, from, wrong) {
  const find = db.prepare('select type from event where seq = ?').pluck()
  for (const [seq, type] of stream.told) {
    if (seq < from) continue
    const found = find.get(seq)
    if (found !== type)
      wrong.push(`The stream told event ${seq} as ${type}, and the journal has ${found ?? 'none'}.`)
  }
  const first = Math.max(from, stream.after + 1)
  for (let seq = first; seq < stream.last; seq++) {
    if (!stream.told.has(seq)) wrong.push(`The stream went on to event ${stream.last} without ${seq}.`)
  }
}

/**
 * Links whose answer never came: there may be as many as were asked for.
 *
 * @param {SQLite.Database} db
 * @param {Ledger} ledger
 */
function findUnanswered(db, ledger) {
  const find = db.prepare('select id, payId from link where note = ?')
  for (const payment of ledger.payments) {
    if (payment.created.length === payment.asked) continue
    const known = new Set(payment.created.map(({ id }) => id))
    for (const { id, payId } of /** @type {any[]} */ (find.all(payment.order))) {
      if (!known.has(id)) addLink(ledger, payment, { id, payId, text: '' })
    }
  }
}

const OUTCOMES = { paid: 'link.paid', cancelled: 'link.cancelled' }

/**
 * @param {SQLite.Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
function checkLinks(db, { ledger, keep, isSettled, random }, wrong) {
  const from = whole(db, keep)
  const found = db.prepare('select * from link where id = ?')
  const happened = db.prepare(
    'select type, count(*) times, min(seq) first from event where linkId = ? group by type',
  )
  const answer = db.prepare(
    "select json_extract(exchange, '$.response.body.content') from event where linkId = ? and type = 'call.answered' order by seq limit 1",
  )
  const sent = db.prepare(
    'select cause, count(*) times, sum(attempts) attempts from delivery where linkId = ? group by cause',
  )
  const refund = db.prepare('select amount, state from refund where linkId = ?')
  for (const payment of ledger.payments) {
    if (payment.created.length > payment.asked) {
      wrong.push(
        `${payment.order} was asked for ${payment.asked} times and is there ${payment.created.length} times.`,
      )
    }
  }
  const links = ledger.links()
  const there = one(db, 'select count(*) from link')
  if (there !== links.length) wrong.push(`There are ${there} links, and ${links.length} were asked for.`)
  for (const link of links) {
    if (!link.isTouched && !isSettled && !random.chance(SEEN_AGAIN / links.length)) continue
    link.isTouched = false
    const { payment } = link
    const name = `Link ${link.id} (${payment.order})`
    const row = /** @type {any} */ (found.get(link.id))
    if (!row) {
      wrong.push(`${name} was answered and is not there.`)
      continue
    }
    if (row.amount !== payment.amount || row.note !== payment.order || row.payId !== link.payId) {
      wrong.push(`${name} is not what was answered: ${JSON.stringify(row)}.`)
    }
    if (!link.may.has(row.status)) {
      wrong.push(`${name} is ${row.status}, and was answered to be ${[...link.may].join(' or ')}.`)
    }
    // What was not known is known now, and stays so.
    link.may = new Set([row.status])

    const events = new Map(/** @type {any[]} */ (happened.all(link.id)).map((event) => [event.type, event]))
    const isWhole = link.after + 1 >= from
    if (isWhole && link.text !== '' && answer.pluck().get(link.id) !== link.text) {
      wrong.push(`${name}: the journal does not have the answer that was given.`)
    }
    for (const [status, type] of Object.entries(OUTCOMES)) {
      const times = events.get(type)?.times ?? 0
      const wanted = row.status === status ? 1 : 0
      if (times > wanted || (isWhole && times !== wanted)) {
        wrong.push(`${name} is ${row.status}, and the journal has ${type} ${times} times.`)
      }
    }

    const causes = /** @type {any[]} */ (sent.all(link.id))
    const deliveries = new Map(causes.map(({ cause, times }) => [cause, times]))
    const [refunded] = /** @type {any[]} */ (refund.all(link.id))
    if (isWhole) {
      /** @param {'times' | 'attempts'} figure */
      const sum = (figure) => causes.reduce((total, cause) => total + cause[figure], 0)
      const exactly = {
        'link.created': 1,
        'delivery.queued': sum('times'),
        'delivery.attempted': sum('attempts'),
        'refund.requested': refunded ? 1 : 0,
        'refund.approved': refunded?.state === 'approved' ? 1 : 0,
        'refund.rejected': refunded?.state === 'rejected' ? 1 : 0,
      }
      for (const [type, wanted] of Object.entries(exactly)) {
        const times = events.get(type)?.times ?? 0
        if (times !== wanted) wrong.push(`${name}: the journal has ${type} ${times} times, not ${wanted}.`)
      }
      for (const [type, least] of link.told) {
        const times = events.get(type)?.times ?? 0
        if (times < least) wrong.push(`${name}: the journal has ${type} ${times} times of ${least}.`)
      }
    }
    const outcomes = deliveries.get('outcome') ?? 0
    const wanted = Object.hasOwn(OUTCOMES, row.status) ? payment.targets.length : 0
    if (outcomes !== wanted)
      wrong.push(`${name} is ${row.status}, and has ${outcomes} deliveries of ${wanted}.`)
    checkRange(`${name}: resends`, deliveries.get('resend') ?? 0, link.resends, payment.targets.length, wrong)
    checkRange(`${name}: replays`, deliveries.get('replay') ?? 0, link.replays, 1, wrong)
    checkRefund(name, link, row, refunded, wrong)
  }
}

/**
 * @param {string} what
 * @param {number} number
 * @param {import('./ledger.js').Range} range
 * @param {number} each
 * @param {string[]} wrong
 */
function checkRange(what, number, range, each, wrong) {
  if (number < range.least || number > range.most || number % each !== 0) {
    wrong.push(`${what} should be ${range.least} to ${range.most}, ${each} at once, and are ${number}.`)
  }
  range.least = range.most = number
}

/**
 * @param {string} name
 * @param {Created} link
 * @param {{ status: string, amount: number }} row
 * @param {any} refund
 * @param {string[]} wrong
 */
function checkRefund(name, link, row, refund, wrong) {
  const successes = link.refunds.filter(({ success }) => success)
  if (successes.length > 1) wrong.push(`${name}: ${successes.length} refunds were answered with success.`)
  if (!refund) {
    if (successes.length > 0) wrong.push(`${name}: the refund that was answered is not there.`)
    link.refunds = []
    return
  }
  if (refund.amount > row.amount) wrong.push(`${name}: ${refund.amount} of ${row.amount} cents are refunded.`)
  if (row.status !== 'paid') wrong.push(`${name} is ${row.status}, and refunded.`)
  const possible =
    successes.length > 0 ? successes : link.refunds.filter(({ success }) => success === undefined)
  if (!possible.some(({ amount }) => amount === refund.amount)) {
    wrong.push(`${name}: a refund of ${refund.amount} cents is there that nobody was promised.`)
  }
  if (link.reviewed && refund.state !== link.reviewed) {
    wrong.push(`${name}: the refund was answered to be ${link.reviewed}, and is ${refund.state}.`)
  }
  link.refunds = [{ amount: refund.amount, success: true }]
  link.reviewed = refund.state
}

/**
 * @param {SQLite.Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
function checkDeliveries(db, { keep, isSettled }, wrong) {
  const done = isSettled ? '' : "and state in ('delivered', 'failed')"
  const idle = one(db, `select count(*) from delivery where attempts = 0 ${done}`)
  if (idle > 0) wrong.push(`${idle} deliveries are done without an attempt.`)
  const open = one(db, "select count(*) from delivery where state in ('pending', 'underway', 'held')")
  if (isSettled && open > 0) wrong.push(`${open} deliveries are still open in the end.`)
  const odd = all(
    db,
    `select id, attempts, (select count(*) from event where deliveryId = delivery.id and type = 'delivery.attempted') told
     from delivery where told <> attempts
     and exists (select 1 from event where deliveryId = delivery.id and type = 'delivery.queued' and seq >= ?)`,
    whole(db, keep),
  )
  for (const { id, attempts, told } of odd) {
    wrong.push(`Delivery ${id} counts ${attempts} attempts, and the journal has ${told}.`)
  }
}

/**
 * What came of the deliveries to a receiver in the end: as many attempts as it takes, and no more.
 *
 * @param {string} path
 * @param {string} payId
 * @param {{ cause: string, state: string, attempts: number, mayRepeat: number }[]} deliveries of one payment
 * @param {string[]} wrong
 */
function checkAttempts(path, payId, deliveries, wrong) {
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  const tries = deliveries.map(({ cause }) => (path === 'failing' && cause !== 'replay' ? ATTEMPTS : 1))
  const most = tries.reduce((sum, times) => sum + times, path === 'once-failing' ? 1 : 0)
  // The attempt that failed may be one that a kill cut off, and then nobody counted it.
  const least = path === 'once-failing' && deliveries.some(({ mayRepeat }) => mayRepeat) ? most - 1 : most
  const state = path === 'failing' ? 'failed' : 'delivered'
  const other = deliveries.find((delivery) => delivery.state !== state)
  if (other) wrong.push(`${path}: a delivery of payment ${payId} is ${other.state} in the end, not ${state}.`)
  if (attempts < least || attempts > most) {
    wrong.push(
      `${path}: ${deliveries.length} deliveries of payment ${payId} took ${attempts} attempts, not ${most}.`,
    )
  }
}

/** Faults strike at `struck`, and what they drop never arrives. */
const WATCHED = ['fast', 'other', 'slow', 'once-failing', 'failing']

/** With the two retries that the sandbox is started with. A replay has none. */
const ATTEMPTS = 3

/**
 * @param {SQLite.Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
function checkReceivers(db, { receivers, url, isSettled }, wrong) {
  for (const path of [...WATCHED, 'tunnel/crash']) {
    const isTunnel = path === 'tunnel/crash'
    const target = isTunnel ? `${url}/tunnel/crash` : `${receivers.origin}/${path}`
    const heard = receivers.heardAt(isTunnel ? '/listened' : `/${path}`)
    const sent = all(
      db,
      `select payId, sum(attempts) attempts, max(mayRepeat) mayRepeat, max(state = 'underway') underway, min(id) first
       from delivery where target = ? group by payId order by first`,
      target,
    )
    for (const { payId, attempts, mayRepeat, underway } of sent) {
      const times = heard.get(payId) ?? 0
      // What a listener has not posted yet waits for it.
      if (times < attempts && (isSettled || !isTunnel)) {
        wrong.push(
          `${path} heard ${times} times of payment ${payId}, which was sent there ${attempts} times.`,
        )
      }
      if (times > attempts && !mayRepeat && !underway && !isTunnel) {
        wrong.push(
          `${path} heard ${times} times of payment ${payId}, of which ${attempts} are told, and no repetition.`,
        )
      }
    }
    if (isSettled) {
      /** @type {Map<string, any[]>} */
      const byPayment = new Map()
      const rows = all(
        db,
        'select payId, cause, state, attempts, mayRepeat from delivery where target = ?',
        target,
      )
      for (const row of rows) byPayment.set(row.payId, [...(byPayment.get(row.payId) ?? []), row])
      for (const [payId, deliveries] of byPayment) checkAttempts(path, payId, deliveries, wrong)
    }
    const order = new Map(sent.map(({ payId }, index) => [payId, index]))
    const came = [...heard.keys()].map((payId) => order.get(payId) ?? -1)
    const early = came.findIndex((place, index) => index > 0 && place < (came[index - 1] ?? 0))
    if (early > 0) wrong.push(`${path} heard of payment ${[...heard.keys()][early]} after a later one.`)
  }
}

/**
 * @param {SQLite.Database} db
 * @param {string} file
 * @param {Ledger} ledger
 * @param {string[]} wrong
 */
function checkBeside(db, file, { answered }, wrong) {
  const folder = `${file}.snapshots`
  const files = existsSync(folder) ? readdirSync(folder) : []
  for (const [name, state] of answered.snapshots) {
    const isThere = files.includes(`${name}.db`)
    if (state === 'there' && !isThere) wrong.push(`Snapshot ${name} was answered and is not there.`)
    if (state === 'gone' && isThere) wrong.push(`Snapshot ${name} was deleted and is there.`)
    answered.snapshots.set(name, isThere ? 'there' : 'gone')
  }
  for (const name of files.filter((known) => !known.endsWith('.db'))) {
    wrong.push(`Half a snapshot is left: ${name}.`)
  }
  for (const name of files.filter((known) => known.endsWith('.db'))) {
    const snapshot = new SQLite(join(folder, name), { readonly: true })
    const sound = snapshot.pragma('quick_check(1)', { simple: true })
    snapshot.close()
    if (sound !== 'ok') wrong.push(`Snapshot ${name} is damaged: ${String(sound)}.`)
  }
  const pinned = db.prepare('select 1 from pin join event using (seq) where seq = ?').pluck()
  for (const seq of answered.pins) {
    if (!pinned.get(seq)) wrong.push(`Event ${seq} was pinned and is not there, or not pinned.`)
  }
  const statusText =
    one(db, "select value from behavior where name = 'statusText' and scope = ''") ?? 'documented'
  if (!answered.statusText.has(statusText)) {
    wrong.push(
      `statusText is ${statusText}, and was answered to be ${[...answered.statusText].join(' or ')}.`,
    )
  }
  answered.statusText = new Set([statusText])
}
