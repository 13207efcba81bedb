/** Keeps what was made last: a document stays the same until somebody comes by another address. */
export function cacheLast<Made>(make: (address: string) => Made): (address: string) => Made {
  let last: { readonly address: string; readonly made: Made } | undefined
  return (address) => {
    if (last?.address !== address) last = { address, made: make(address) }
    return last.made
  }
}
