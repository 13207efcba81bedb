import type { Signal } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isTouch } from '../browser/media.ts'
import { gridOffsets, SEPARATOR_HEIGHT } from './grid-offsets.ts'

export interface ScrolledGrid {
  readonly count: number
  /** How many rows were removed at the beginning. Scrolling compensates for them. */
  readonly removed?: number
  readonly selected: number
  readonly selectedId: string | undefined
  /** Whether the list scrolls to each new row. */
  readonly following?: Signal<boolean>
  /** Called after scrolling. `isVisible` tells whether the last row is visible. */
  readonly onEndVisible?: (isVisible: boolean) => void
}

/** Below this width, rows have two lines. The style sheet has the same number. */
const TWO_LINES_BELOW = 560

/** The visible part of a list. Scrolls to the selected row, or to the end with each new row. */
export function useGridScroll(
  { count, removed = 0, selected, selectedId, following, onEndVisible }: ScrolledGrid,
  separators: readonly { readonly index: number }[],
) {
  const element = useRef<HTMLDivElement>(null)
  const scrolledTo = useRef(0)
  const [viewport, setViewport] = useState({ top: 0, height: 900, isWide: true, headHeight: 0 })
  const { height, isWide } = viewport
  const rowHeight = isWide ? (isTouch.value ? 44 : 28) : isTouch.value ? 60 : 50
  const isFollowing = following?.value ?? false
  const offsets = gridOffsets(separators, rowHeight)
  // New rows move the end. The list scrolls there at once: if it waited for the scroll event, it would be rendered twice.
  const end = Math.max(0, viewport.headHeight + offsets.ofRow(count) - height)
  const top = isFollowing ? end : scrolledTo.current

  const measure = () => {
    const { scrollTop, clientHeight, scrollHeight, offsetWidth } = element.current!
    scrolledTo.current = scrollTop
    const now = {
      // While following, there is no position, so that stopping at the top counts as a change.
      top: following?.peek() ? -1 : scrollTop,
      height: clientHeight,
      isWide: offsetWidth >= TWO_LINES_BELOW,
      headHeight: element.current!.querySelector('.head')!.clientHeight,
    }
    setViewport((before) => (isEqual(before, now) ? before : now))
    onEndVisible?.(scrollTop + clientHeight > scrollHeight - rowHeight / 2)
  }
  const stopFollowing = () => {
    if (following) following.value = false
  }
  const onScroll = () => {
    // The scroll event may arrive after the list was unmounted.
    if (!element.current) return
    const { scrollTop, clientHeight, scrollHeight } = element.current
    // The user has scrolled up. If only the list became shorter or the window taller, following continues.
    if (scrollTop < scrolledTo.current && scrollTop + clientHeight < scrollHeight - 1) stopFollowing()
    measure()
  }

  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [rowHeight])

  const removedBefore = useRef(removed)
  useLayoutEffect(() => {
    const newlyRemoved = removed - removedBefore.current
    removedBefore.current = removed
    if (newlyRemoved > 0 && !isFollowing) element.current!.scrollTop -= newlyRemoved * rowHeight
  }, [removed])

  useLayoutEffect(() => {
    if (isFollowing) element.current!.scrollTop = element.current!.scrollHeight
    measure()
  }, [isFollowing, count, removed, height, rowHeight, separators.length])

  useLayoutEffect(() => {
    if (selected === -1 || isFollowing) return
    const grid = element.current!
    const header = grid.querySelector('.head')?.clientHeight ?? 0
    const above = offsets.ofRow(selected)
    const day = separators.length > 0 ? SEPARATOR_HEIGHT : 0
    if (above - day < grid.scrollTop) grid.scrollTop = above - day
    const below = above + rowHeight + header - grid.clientHeight
    if (below > grid.scrollTop) grid.scrollTop = below
  }, [selectedId, selected === -1, rowHeight])

  return { element, top, height, isWide, rowHeight, offsets, stopFollowing, onScroll }
}

function isEqual<Value extends object>(a: Value, b: Value): boolean {
  return (Object.keys(a) as (keyof Value)[]).every((key) => a[key] === b[key])
}
