import { all } from './queries.js'

/** @typedef {import('better-sqlite3').Database} Database */
/** @typedef {import('./check-database.js').CheckContext} CheckContext */

/** All but `faulty`: faults drop some of its webhooks, so its counts prove nothing. */
const CHECKED_PATHS = ['fast', 'other', 'slow', 'once-failing', 'failing']

/** The first attempt and the two retries that the sandbox is started with. A replay has no retries. */
const ATTEMPTS = 3

/**
 * Compares the deliveries with what arrived at the receivers.
 *
 * @param {Database} db
 * @param {CheckContext} context
 * @param {string[]} problems
 */
export function checkReceivers(db, { receivers, url, isSettled, refusesWebhooks = false }, problems) {
  for (const path of [...CHECKED_PATHS, 'tunnel/crash']) {
    const isTunnel = path === 'tunnel/crash'
    const mayBeRefused = isTunnel && refusesWebhooks
    const target = isTunnel ? `${url}/tunnel/crash` : `${receivers.origin}/${path}`
    const counts = receivers.countsAt(isTunnel ? '/listened' : `/${path}`)
    const sent = all(
      db,
      `select payId, sum(attempts) attempts, max(possibleDuplicate) possibleDuplicate, max(state = 'underway') underway, min(id) first
       from delivery where target = ? group by payId order by first`,
      target,
    )
    for (const { payId, attempts, possibleDuplicate, underway } of sent) {
      const arrived = counts.get(payId) ?? 0
      // The listener of the tunnel may not have forwarded every request yet.
      const least = mayBeRefused ? Math.min(attempts, 1) : attempts
      if (arrived < least && (isSettled || !isTunnel)) {
        problems.push(
          `${path} received ${arrived} webhooks of payment ${payId}, but ${attempts} attempts succeeded or failed.`,
        )
      }
      if (arrived > attempts && !possibleDuplicate && !underway && !isTunnel) {
        problems.push(
          `${path} received ${arrived} webhooks of payment ${payId}, but only ${attempts} attempts are recorded, and none as a possible duplicate.`,
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
      const refusals = mayBeRefused ? ATTEMPTS - 1 : 0
      for (const [payId, deliveries] of byPayment) {
        checkAttempts(path, payId, deliveries, refusals, problems)
      }
    }
    const position = new Map(sent.map(({ payId }, index) => [payId, index]))
    // A webhook that was refused arrives with a later attempt.
    const late = new Set(sent.flatMap(({ payId, attempts }) => (mayBeRefused && attempts > 1 ? [payId] : [])))
    const arrivals = [...counts.keys()].filter((payId) => !late.has(payId))
    const positions = arrivals.map((payId) => position.get(payId) ?? -1)
    const misplaced = positions.findIndex((place, index) => index > 0 && place < (positions[index - 1] ?? 0))
    if (misplaced > 0) problems.push(`${path} received payment ${arrivals[misplaced]} after a later one.`)
  }
}

/**
 * Checks the final state and the number of attempts of a payment's deliveries to a receiver.
 *
 * @param {string} path
 * @param {string} payId
 * @param {{ cause: string, state: string, attempts: number, possibleDuplicate: number }[]} deliveries
 * @param {number} refusals how many attempts of each delivery may fail
 * @param {string[]} problems
 */
function checkAttempts(path, payId, deliveries, refusals, problems) {
  const attempts = deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  const perDelivery = deliveries.map(({ cause }) => (path === 'failing' && cause !== 'replay' ? ATTEMPTS : 1))
  const max = perDelivery.reduce((sum, count) => sum + count, path === 'once-failing' ? 1 : 0)
  // A kill may have cut off the attempt that failed. Such an attempt is not counted.
  const mayMissOne = path === 'once-failing' && deliveries.some(({ possibleDuplicate }) => possibleDuplicate)
  const min = mayMissOne ? max - 1 : max
  const state = path === 'failing' ? 'failed' : 'delivered'
  const isAllowed = (/** @type {{ cause: string, state: string }} */ delivery) =>
    delivery.state === state || (refusals > 0 && delivery.cause === 'replay')
  const other = deliveries.find((delivery) => !isAllowed(delivery))
  if (other)
    problems.push(`${path}: a delivery of payment ${payId} ended ${other.state} instead of ${state}.`)
  if (attempts < min || attempts > max + refusals * deliveries.length) {
    problems.push(
      `${path}: ${deliveries.length} deliveries of payment ${payId} have ${attempts} attempts instead of ${max}.`,
    )
  }
}
