/** Caches the last result of a function, for texts that rarely change, such as a base URL. */
export function cacheLast<Result>(create: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined
  return (text) => {
    if (last?.text !== text) last = { text, result: create(text) }
    return last.result
  }
}
