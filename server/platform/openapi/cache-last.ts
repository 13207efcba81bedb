/** Caches the last result. A document depends only on its base URL, which is nearly always the same. */
export function cacheLast<Result>(create: (baseUrl: string) => Result): (baseUrl: string) => Result {
  let last: { readonly baseUrl: string; readonly result: Result } | undefined
  return (baseUrl) => {
    if (last?.baseUrl !== baseUrl) last = { baseUrl, result: create(baseUrl) }
    return last.result
  }
}
