const HIDDEN_PAGE_MS = 500

/**
 * Collects items and hands them on once per animation frame. A hidden page gets no frames, so there a
 * timer does it.
 */
export function createBatch<Item>(handOn: (items: readonly Item[]) => void) {
  let items: Item[] = []
  let cancel: (() => void) | undefined

  function schedule(): void {
    if (document.hidden) {
      const timer = setTimeout(flush, HIDDEN_PAGE_MS)
      cancel = () => clearTimeout(timer)
    } else {
      const frame = requestAnimationFrame(flush)
      cancel = () => cancelAnimationFrame(frame)
    }
  }

  function flush(): void {
    cancel?.()
    cancel = undefined
    if (items.length === 0) return
    const batch = items
    items = []
    handOn(batch)
  }

  // A frame that was asked for is not given any more once the page is hidden.
  document.addEventListener('visibilitychange', () => {
    if (!cancel) return
    cancel()
    schedule()
  })

  return {
    add(more: readonly Item[]): void {
      items.push(...more)
      if (!cancel) schedule()
    },
    flush,
  }
}
