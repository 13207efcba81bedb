import { createCaller } from './caller.js'

/**
 * Creates a caller of replicas, through the balancer.
 *
 * @param {string} url
 * @param {string[]} problems
 * @param {(isAnswered: boolean) => void} [onAnswer]
 */
export const createClusterCaller = (url, problems, onAnswer = () => {}) =>
  createCaller(url, onAnswer, (what) => void problems.push(what), meaningOf)

/**
 * While no replica leads, calls are refused, and nothing is done. A connection that breaks within a call leaves its result open.
 *
 * @param {NonNullable<import('./caller.js').Answer>} answer
 * @returns {import('./caller.js').Meaning}
 */
function meaningOf({ status, text }) {
  if (status < 500) return 'answer'
  if (text.includes('Nothing was done')) return 'again'
  return text.includes('database') ? 'unknown' : 'answer'
}
