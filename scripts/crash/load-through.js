import { createClusterCaller } from './cluster-caller.js'
import { inTime } from './in-time.js'
import { makePayments } from './load.js'

const ANSWERS_AFTERWARDS = 50

/**
 * Sends load to replicas before, during and after an incident.
 *
 * @param {Pick<import('./load.js').LoadContext, 'expected' | 'random' | 'origin' | 'url'>} target
 * @param {number} answersBefore
 * @param {() => Promise<void>} cause causes the incident
 * @param {string} hanging the error if the replicas hang
 * @returns {Promise<number>} the longest time without an answer, in ms
 */
export async function loadThrough(target, answersBefore, cause, hanging) {
  const { expected, url } = target
  const { problems } = expected
  let remaining = answersBefore
  let isOver = false
  let isCaused = false
  let lastAnswer = performance.now()
  let longest = 0
  /** @type {Promise<void> | undefined} */
  let caused
  const caller = createClusterCaller(url, problems, (isAnswered) => {
    if (!isAnswered) {
      expected.unanswered++
      return
    }
    expected.answers++
    const now = performance.now()
    if (caused) longest = Math.max(longest, now - lastAnswer)
    lastAnswer = now
    if (--remaining > 0) return
    if (caused) {
      isOver ||= isCaused
      return
    }
    // Afterwards the load goes on for some time.
    caused = cause()
      .catch((error) => void problems.push(String(error)))
      .then(() => {
        remaining = ANSWERS_AFTERWARDS
        isCaused = true
      })
  })
  try {
    await inTime(makePayments({ ...target, caller, isOver: () => isOver }), hanging)
    await caused
    return longest
  } finally {
    isOver = true
    await caller.close()
  }
}
