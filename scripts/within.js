/**
 * What comes of something, or an error where it takes too long.
 *
 * @template Result
 * @param {Promise<Result>} result
 * @param {number} ms
 * @param {string} late what it says then
 * @returns {Promise<Result>}
 */
export async function within(result, ms, late) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(late)), ms)
  })
  try {
    return await Promise.race([result, /** @type {Promise<never>} */ (limit)])
  } finally {
    clearTimeout(timer)
  }
}
