import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useGridScroll, type ScrolledGrid } from './use-grid-scroll.ts'

/** The name of a day, above its first row. */
interface Separator {
  /** The index of the row below it. */
  readonly index: number
  readonly content: () => ComponentChildren
}

interface Props extends ScrolledGrid {
  readonly label: string
  readonly columns: readonly string[]
  /** Sorted by index. */
  readonly separators?: readonly Separator[]
  /** What the head of a column shows instead of its name. */
  readonly head?: (column: string) => {
    readonly content: ComponentChildren
    readonly sort?: 'ascending' | 'descending'
  }
  /** A row keeps its element as long as it has the same key. A row with a new key may get the element of another row. */
  readonly row: (index: number, key: number) => ComponentChildren
  /** The index of the current row. The arrow keys move from it, and it has the focus of the list. */
  readonly current: number
  readonly onMove: (steps: number) => void
  readonly onOpen: () => void
  /** Shows or hides the rows that the current row summarizes. */
  readonly onUnfold?: (isShown: boolean) => void
}

const OVERSCAN = 8
const NO_SEPARATORS: readonly Separator[] = []

/** A list of any length that renders only the visible rows. */
export function Grid(props: Props) {
  const {
    label,
    columns,
    count,
    removed = 0,
    selected,
    selectedId,
    current,
    separators = NO_SEPARATORS,
    head,
    row,
    onMove,
    onOpen,
    onUnfold,
  } = props
  const { element, top, height, isWide, rowHeight, offsets, stopFollowing, onScroll } = useGridScroll(
    props,
    separators,
  )
  const first = Math.max(0, offsets.rowAt(top, count) - OVERSCAN)
  const last = Math.min(count, offsets.rowAt(top + height, count) + 1 + OVERSCAN)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, offset) => first + offset)
  const keyOf = useRowKeys(first + removed, last + removed)
  const isDrawn = selected >= first && selected < last
  const currentTop = offsets.ofRow(current)
  const isCurrentVisible = current >= 0 && currentTop + rowHeight > top && currentTop < top + height
  const day = separators.findLast(({ index }) => offsets.ofSeparator(index) < top)

  return (
    <div
      ref={element}
      class={isWide ? 'grid' : 'grid two-lines'}
      role="grid"
      tabIndex={0}
      aria-label={label}
      data-frame={!isCurrentVisible}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      style={{ '--row-height': `${rowHeight}px` }}
      {...(isDrawn && selectedId !== undefined ? { 'aria-activedescendant': selectedId } : {})}
      onScroll={onScroll}
      onWheel={({ deltaY }) => deltaY < 0 && stopFollowing()}
      onPointerDown={stopFollowing}
      onKeyDown={(event) =>
        onGridKey(event, {
          stopFollowing,
          onMove,
          onOpen,
          onUnfold,
          page: Math.floor(height / rowHeight) - 1,
        })
      }
    >
      <Head columns={columns} head={head} day={day} />
      <div role="rowgroup" class="rows" style={{ height: `${offsets.ofRow(count)}px` }}>
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
        {isCurrentVisible && <div role="presentation" class="row-focus" style={{ top: `${currentTop}px` }} />}
      </div>
    </div>
  )
}

/** The names of the columns, and the day of the rows below them. */
function Head({
  columns,
  head,
  day,
}: Pick<Props, 'columns' | 'head'> & { readonly day: Separator | undefined }) {
  return (
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
  )
}

/**
 * The keys of rows. While scrolling, a row that stays visible keeps its key. If all rows are replaced, the new rows get the
 * keys of the old ones, because changing an element is faster than creating one.
 */
function useRowKeys(first: number, last: number): (index: number) => number {
  const rendered = useRef({ first, last, offset: 0 })
  const { current: before } = rendered
  const areReplaced = first >= before.last || last <= before.first
  const offset = areReplaced ? before.offset + before.first - first : before.offset
  rendered.current = { first, last, offset }
  return (index) => index + offset
}

interface GridKeys {
  readonly stopFollowing: () => void
  readonly onMove: (steps: number) => void
  readonly onOpen: () => void
  readonly onUnfold: Props['onUnfold']
  readonly page: number
}

/** The arrow keys move the selection only while the list has the focus. Elsewhere, they scroll the page. */
function onGridKey(event: KeyboardEvent, { stopFollowing, onMove, onOpen, onUnfold, page }: GridKeys): void {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[
    event.key
  ]
  if (steps !== undefined) {
    event.preventDefault()
    stopFollowing()
    onMove(steps)
  }
  if (event.key === 'Enter') onOpen()
  if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') onUnfold?.(event.key === 'ArrowRight')
}
