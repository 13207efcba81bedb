import { all } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').Known} Known */

/** Faults strike at `struck`, and what they drop never arrives. */
const CHECKED_PATHS = ['fast', 'other', 'slow', 'once-failing', 'failing']

/** With the two retries that the sandbox is started with. A replay has none. */
const ATTEMPTS = 3

/**
 * @param {Database} db
 * @param {Known} known
 * @param {string[]} wrong
 */
export function checkReceivers(db, { receivers, url, isSettled }, wrong) {
  for (const path of [...CHECKED_PATHS, 'tunnel/crash']) {
    const isTunnel = path === 'tunnel/crash'
    const target = isTunnel ? `${url}/tunnel/crash` : `${receivers.origin}/${path}`
    const heard = receivers.heardAt(isTunnel ? '/listened' : `/${path}`)
    const sent = all(
      db,
      `select payId, sum(attempts) attempts, max(possibleDuplicate) possibleDuplicate, max(state = 'underway') underway, min(id) first
       from delivery where target = ? group by payId order by first`,
      target,
    )
    for (const { payId, attempts, possibleDuplicate, underway } of sent) {
      const times = heard.get(payId) ?? 0
      // What a listener has not posted yet waits for it.
      if (times < attempts && (isSettled || !isTunnel)) {
        wrong.push(
          `${path} heard ${times} times of payment ${payId}, which was sent there ${attempts} times.`,
        )
      }
      if (times > attempts && !possibleDuplicate && !underway && !isTunnel) {
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
        'select payId, cause, state, attempts, possibleDuplicate from delivery where target = ?',
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
 * What came of the deliveries to a receiver in the end: as many attempts as it takes, and no more.
 *
 * @param {string} path
 * @param {string} payId
 * @param {{ cause: string, state: string, attempts: number, possibleDuplicate: number }[]} deliveries of one payment
 * @param {string[]} wrong
 */
function checkAttempts(path, payId, deliveries, wrong) {
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  const tries = deliveries.map(({ cause }) => (path === 'failing' && cause !== 'replay' ? ATTEMPTS : 1))
  const most = tries.reduce((sum, times) => sum + times, path === 'once-failing' ? 1 : 0)
  // The attempt that failed may be one that a kill cut off, and then nobody counted it.
  const least =
    path === 'once-failing' && deliveries.some(({ possibleDuplicate }) => possibleDuplicate) ? most - 1 : most
  const state = path === 'failing' ? 'failed' : 'delivered'
  const other = deliveries.find((delivery) => delivery.state !== state)
  if (other) wrong.push(`${path}: a delivery of payment ${payId} is ${other.state} in the end, not ${state}.`)
  if (attempts < least || attempts > most) {
    wrong.push(
      `${path}: ${deliveries.length} deliveries of payment ${payId} took ${attempts} attempts, not ${most}.`,
    )
  }
}
