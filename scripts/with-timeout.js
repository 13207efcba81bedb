/**
 * What comes of something, or an error where it takes too long.
 *
 * @template Result
 * @param {Promise<Result>} result
 * @param {number} ms
 * @param {string} message what it says then
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
