import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Signal } from '@preact/signals'
import { hasTwoLineRows } from '../media.ts'

interface Props {
  readonly label: string
  readonly columns: readonly string[]
  readonly count: number
  /** How many rows were removed from the front. Scrolling compensates for them. */
  readonly removed?: number
  readonly selected: number
  readonly selectedId: string | undefined
  /** Whether the list scrolls to each new row. */
  readonly following?: Signal<boolean>
  readonly row: (index: number) => ComponentChildren
  readonly onMove: (steps: number) => void
  readonly onOpen: () => void
  /** Called after scrolling, with whether the last row is visible. */
  readonly onEndVisible?: (isVisible: boolean) => void
}

const OVERSCAN = 12

/** A list of any length that renders only the visible rows. */
export function Grid(props: Props) {
  const {
    label,
    columns,
    count,
    removed = 0,
    selected,
    selectedId,
    following,
    row,
    onMove,
    onOpen,
    onEndVisible,
  } = props
  const element = useRef<HTMLDivElement>(null)
  const [{ top, height }, setViewport] = useState({ top: 0, height: 900 })
  const rowHeight = hasTwoLineRows.value ? 44 : 28
  const isFollowing = following?.value ?? false

  const measure = () => {
    // The scroll event can come after the list is unmounted.
    if (!element.current) return
    const { scrollTop, clientHeight, scrollHeight } = element.current
    setViewport((before) =>
      before.top === scrollTop && before.height === clientHeight
        ? before
        : { top: scrollTop, height: clientHeight },
    )
    onEndVisible?.(scrollTop + clientHeight > scrollHeight - rowHeight / 2)
  }
  const stopFollowing = () => {
    if (following) following.value = false
  }

  useLayoutEffect(() => {
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
  }, [isFollowing, count, removed, height, rowHeight])

  useLayoutEffect(() => {
    if (selected === -1 || isFollowing) return
    const grid = element.current!
    const header = grid.querySelector('.head')?.clientHeight ?? 0
    const above = selected * rowHeight
    if (above < grid.scrollTop) grid.scrollTop = above
    const below = above + rowHeight + header - grid.clientHeight
    if (below > grid.scrollTop) grid.scrollTop = below
  }, [selectedId, selected === -1, rowHeight])

  const first = Math.max(0, Math.floor(top / rowHeight) - OVERSCAN)
  const last = Math.min(count, Math.ceil((top + height) / rowHeight) + OVERSCAN)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset)
  const isDrawn = selected >= first && selected < last

  return (
    <div
      ref={element}
      class="grid"
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      {...(isDrawn && selectedId !== undefined ? { 'aria-activedescendant': selectedId } : {})}
      onScroll={measure}
      onWheel={({ deltaY }) => deltaY < 0 && stopFollowing()}
      onPointerDown={stopFollowing}
      onKeyDown={(event) =>
        onGridKey(event, { stopFollowing, onMove, onOpen, page: Math.floor(height / rowHeight) - 1 })
      }
    >
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex={1}>
          {columns.map((column) => (
            <div key={column} role="columnheader">
              {column}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="rows" style={{ height: `${count * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {shown.map(row)}
        </div>
      </div>
    </div>
  )
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
