import { withTimeout } from '../with-timeout.js'

/** Much longer than anything takes, even on a busy machine. */
const TIMEOUT_MS = 120_000

/**
 * Rejects with a message if something hangs.
 *
 * @template Value
 * @param {Promise<Value>} promise
 * @param {string} message
 * @returns {Promise<Value>}
 */
export const inTime = (promise, message) => withTimeout(promise, TIMEOUT_MS, message)
