import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Signal } from '@preact/signals'
import { isTouch } from '../media.ts'

/** The name of a day, above its first row. */
export interface Separator {
  /** The index of the row below it. */
  readonly index: number
  readonly content: () => ComponentChildren
}

interface Props {
  readonly label: string
  readonly columns: readonly string[]
  readonly count: number
  /** How many rows were removed from the front. Scrolling compensates for them. */
  readonly removed?: number
  readonly selected: number
  readonly selectedId: string | undefined
  /** Sorted by index. */
  readonly separators?: readonly Separator[]
  /** Whether the list scrolls to each new row. */
  readonly following?: Signal<boolean>
  /** What the head of a column shows instead of its name. */
  readonly head?: (column: string) => {
    readonly content: ComponentChildren
    readonly sort?: 'ascending' | 'descending'
  }
  /** A row with this key keeps its element, or gets that of another row. */
  readonly row: (index: number, key: number) => ComponentChildren
  readonly onMove: (steps: number) => void
  readonly onOpen: () => void
  /** Called after scrolling, with whether the last row is visible. */
  readonly onEndVisible?: (isVisible: boolean) => void
}

const OVERSCAN = 8
const NO_SEPARATORS: readonly Separator[] = []
const SEPARATOR_HEIGHT = 32

/** The list shows rows of two lines below this width. The style sheet uses the same number. */
const TWO_LINES_BELOW = 560

/** Room for the button that jumps to the newest row, so that it does not cover the selected one. */
const CLEARANCE = 56

/** A list of any length that renders only the visible rows. */
export function Grid(props: Props) {
  const {
    label,
    columns,
    count,
    removed = 0,
    selected,
    selectedId,
    separators = NO_SEPARATORS,
    following,
    head,
    row,
    onMove,
    onOpen,
    onEndVisible,
  } = props
  const element = useRef<HTMLDivElement>(null)
  const scrolledTo = useRef(0)
  const [viewport, setViewport] = useState({ top: 0, height: 900, isWide: true, headHeight: 0 })
  const { height, isWide } = viewport
  const rowHeight = isWide ? (isTouch.value ? 44 : 28) : isTouch.value ? 60 : 50
  const isFollowing = following?.value ?? false
  const offsets = offsetsOf(separators, rowHeight)
  // The last row needs this room too, because newer rows may follow it.
  const clearance = onEndVisible && selected !== -1 ? CLEARANCE : 0
  // New rows move the end. Waiting for the scroll event would render the list twice.
  const end = Math.max(0, viewport.headHeight + offsets.ofRow(count) + clearance - height)
  const top = isFollowing ? end : scrolledTo.current

  const measure = () => {
    const { scrollTop, clientHeight, scrollHeight, offsetWidth } = element.current!
    scrolledTo.current = scrollTop
    const now = {
      // While it follows, no position: so a stop at the top is a change, too.
      top: following?.peek() ? -1 : scrollTop,
      height: clientHeight,
      isWide: offsetWidth >= TWO_LINES_BELOW,
      headHeight: element.current!.querySelector('.head')!.clientHeight,
    }
    setViewport((before) => (isEqual(before, now) ? before : now))
    onEndVisible?.(scrollTop + clientHeight > scrollHeight - clearance - rowHeight / 2)
  }
  const stopFollowing = () => {
    if (following) following.value = false
  }
  const onScroll = () => {
    // The scroll event can come after the list is unmounted.
    if (!element.current) return
    const { scrollTop, clientHeight, scrollHeight } = element.current
    // Upwards, by whatever means. A shorter list or a taller window only moves the end.
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
    const below = above + rowHeight + header + clearance - grid.clientHeight
    if (below > grid.scrollTop) grid.scrollTop = below
  }, [selectedId, selected === -1, rowHeight])

  const first = Math.max(0, offsets.rowAt(top, count) - OVERSCAN)
  const last = Math.min(count, offsets.rowAt(top + height, count) + 1 + OVERSCAN)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset)
  const keyOf = useRowKeys(first + removed, last + removed)
  const isDrawn = selected >= first && selected < last
  const day = separators.findLast(({ index }) => offsets.ofSeparator(index) < top)

  return (
    <div
      ref={element}
      class={isWide ? 'grid' : 'grid two-lines'}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      style={{ '--row-height': `${rowHeight}px` }}
      {...(isDrawn && selectedId !== undefined ? { 'aria-activedescendant': selectedId } : {})}
      onScroll={onScroll}
      onWheel={({ deltaY }) => deltaY < 0 && stopFollowing()}
      onPointerDown={stopFollowing}
      onKeyDown={(event) =>
        onGridKey(event, { stopFollowing, onMove, onOpen, page: Math.floor(height / rowHeight) - 1 })
      }
    >
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex={1}>
          {columns.map((column) => {
            const { content, sort } = head?.(column) ?? { content: column }
            return (
              <div key={column} role="columnheader" class={`col-${column.toLowerCase()}`} aria-sort={sort}>
                {content}
              </div>
            )
          })}
        </div>
        {day && (
          <div class="separator sticky" aria-hidden="true">
            {day.content()}
          </div>
        )}
      </div>
      <div role="rowgroup" class="rows" style={{ height: `${offsets.ofRow(count) + clearance}px` }}>
        <div role="presentation" style={{ paddingTop: `${offsets.ofSeparator(first)}px` }}>
          {/* One flat list: rows in nested lists would be created again whenever the list moves by a row. */}
          {shown.flatMap((index) => [
            ...separators
              .filter((separator) => separator.index === index)
              .map(({ content }) => (
                <div key={`day-${index}`} role="presentation" class="separator">
                  {content()}
                </div>
              )),
            row(index, keyOf(index + removed)),
          ])}
        </div>
      </div>
    </div>
  )
}

/**
 * The keys of rows. While scrolling, a row that stays keeps its key. If all rows are replaced, the new ones get the keys of the
 * old ones: changing an element costs less than creating one.
 */
function useRowKeys(first: number, last: number): (index: number) => number {
  const rendered = useRef({ first, last, offset: 0 })
  const { current: before } = rendered
  const areReplaced = first >= before.last || last <= before.first
  const offset = areReplaced ? before.offset + before.first - first : before.offset
  rendered.current = { first, last, offset }
  return (index) => index + offset
}

function isEqual<Value extends object>(a: Value, b: Value): boolean {
  return (Object.keys(a) as (keyof Value)[]).every((key) => a[key] === b[key])
}

/** The positions of rows and separators, in pixels from the top of the list. */
function offsetsOf(separators: readonly Separator[], rowHeight: number) {
  /** The height of the separators above a row, with or without its own. */
  const heightAbove = (index: number, isIncluded: boolean): number => {
    let low = 0
    let high = separators.length
    while (low < high) {
      const middle = (low + high) >> 1
      const at = separators[middle]!.index
      if (at < index || (isIncluded && at === index)) low = middle + 1
      else high = middle
    }
    return low * SEPARATOR_HEIGHT
  }
  const ofRow = (index: number): number => index * rowHeight + heightAbove(index, true)

  return {
    ofRow,
    /** Where the separator of a row begins, or the row itself if it has none. */
    ofSeparator: (index: number): number => index * rowHeight + heightAbove(index, false),
    /** The last row that begins at or above a position. */
    rowAt(position: number, count: number): number {
      let low = 0
      let high = Math.max(0, count - 1)
      while (low < high) {
        const middle = (low + high + 1) >> 1
        if (ofRow(middle) <= position) low = middle
        else high = middle - 1
      }
      return low
    },
  }
}

interface GridKeys {
  readonly stopFollowing: () => void
  readonly onMove: (steps: number) => void
  readonly onOpen: () => void
  readonly page: number
}

/** Arrow keys move the selection while the list has the focus. Elsewhere they scroll the page. */
function onGridKey(event: KeyboardEvent, { stopFollowing, onMove, onOpen, page }: GridKeys): void {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[
    event.key
  ]
  if (steps !== undefined) {
    event.preventDefault()
    stopFollowing()
    onMove(steps)
  }
  if (event.key === 'Enter') onOpen()
}
