/**
 * Waits for a promise. Throws if it takes longer than `ms`.
 *
 * @template Result
 * @param {Promise<Result>} result
 * @param {number} ms
 * @param {string} message of the error
 * @returns {Promise<Result>}
 */
export async function withTimeout(result, ms, message) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  try {
    return await Promise.race([result, /** @type {Promise<never>} */ (limit)])
  } finally {
    clearTimeout(timer)
  }
}
