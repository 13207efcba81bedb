const MAX_RESULTS = 1_000
const MAX_LENGTH = 200

/** Caches recent results of a function, for texts that often repeat, such as the URLs of links. */
export function cacheRecent<Result extends NonNullable<unknown>>(
  create: (text: string) => Result,
): (text: string) => Result {
  const results = new Map<string, Result>()
  return (text) => {
    const cached = results.get(text)
    if (cached !== undefined) return cached
    const result = create(text)
    if (results.size >= MAX_RESULTS) results.clear()
    if (text.length <= MAX_LENGTH) results.set(text, result)
    return result
  }
}
