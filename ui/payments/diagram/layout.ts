import type { DiagramItem, Lane } from './build-diagram.ts'

/** Below this width, the diagram shows no times, and its labels are short. */
const WIDE_PX = 440

const MAX_PX = 620

export interface PlacedItem {
  readonly item: DiagramItem
  /** The position and the height of the area that links to the event. */
  readonly top: number
  readonly height: number
  /** The y of the first line. */
  readonly y: number
  /** Whether the item shows its time. */
  readonly hasTime: boolean
}

export interface Layout {
  readonly width: number
  readonly height: number
  readonly isCompact: boolean
  /** The x of each lane. */
  readonly x: Readonly<Record<Lane, number>>
  readonly placed: readonly PlacedItem[]
}

/** For each kind of item, the distance from its top to its first line, and its height. */
const sizes: Readonly<Record<DiagramItem['kind'], readonly [toLine: number, height: number]>> = {
  call: [20, 56],
  step: [21, 31],
  attempt: [23, 40],
  note: [17, 31],
  clock: [14, 34],
}

const HEAD_PX = 26
const GROUP_GAP_PX = 6
const WAIT_PX = 5
const END_PX = 12

/** The space below an attempt for the wait before the next one, which has not happened yet. */
const DUE_PX = 36

/** Places the items of a diagram in a pane of a given width, in pixels. */
export function placeItems(items: readonly DiagramItem[], available: number): Layout {
  const width = Math.min(Math.max(available, 300), MAX_PX)
  const isCompact = width < WIDE_PX
  let top = HEAD_PX
  let previous: DiagramItem | undefined
  let shownAt = ''
  const placed = items.map((item): PlacedItem => {
    const startsGroup = previous?.group !== item.group
    if (previous && startsGroup) top += GROUP_GAP_PX
    if (item.kind === 'attempt' && item.wait !== null) top += WAIT_PX
    const [toLine, height] = sizes[item.kind]
    const hasTime = item.kind !== 'clock' && shownAt !== secondOf(item)
    if (hasTime) shownAt = secondOf(item)
    const due = item.kind === 'attempt' && item.nextAttemptAt !== null ? DUE_PX : 0
    const result = { item, top, height: height + due, y: top + toLine, hasTime }
    top += height + due
    previous = item
    return result
  })
  return {
    width,
    height: top + END_PX,
    isCompact,
    x: isCompact ? compactLanes(width) : wideLanes(width),
    placed,
  }
}

const secondOf = ({ at }: DiagramItem): string => at.slice(0, 19)

const spread = (left: number, right: number, sandbox: number, customer: number) => ({
  app: left,
  sandbox: Math.round(left + (right - left) * sandbox),
  customer: Math.round(left + (right - left) * customer),
  receiver: right,
})

const wideLanes = (width: number) => spread(98, width - 36, 0.333, 0.655)
const compactLanes = (width: number) => spread(30, width - 30, 0.35, 0.658)
