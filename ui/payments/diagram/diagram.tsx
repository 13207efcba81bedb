import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Tone } from '../../../server/contract/format/event-row.ts'
import { formatShortDuration } from '../../../server/contract/format/values.ts'
import { formatRoute } from '../../browser/hash-route.ts'
import { clockTime } from '../../browser/time-text.ts'
import type { AttemptItem, CallItem, DiagramItem, Label, NoteItem, StepItem } from './build-diagram.ts'
import { laneNames } from './lanes.ts'
import { placeItems, type Layout, type PlacedItem } from './layout.ts'

interface Props {
  readonly items: readonly DiagramItem[]
  /** The `seq` of the event to mark. */
  readonly current: number | undefined
  readonly label: string
}

/** A sequence diagram. Each item links to its event. */
export function Diagram({ items, current, label }: Props) {
  const [width, frame] = useWidth()
  const layout = placeItems(items, width)
  const start = items[0]?.at ?? ''

  return (
    <div ref={frame} class="diagram">
      <svg
        role="group"
        aria-label={label}
        width={layout.width}
        height={layout.height}
        viewBox={`0 0 ${layout.width} ${layout.height}`}
      >
        <Lanes layout={layout} />
        <g role="list">
          {layout.placed.map((placed) => (
            <Item
              key={`${placed.item.kind} ${placed.item.seq}`}
              placed={placed}
              layout={layout}
              start={start}
              isCurrent={placed.item.seq === current}
            />
          ))}
        </g>
      </svg>
    </div>
  )
}

/** The width of an element in pixels, which changes with the window and with the divider. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(464)
  useLayoutEffect(() => {
    const measure = () => element.current && setWidth(Math.floor(element.current.clientWidth))
    const observer = new ResizeObserver(measure)
    observer.observe(element.current!)
    measure()
    return () => observer.disconnect()
  }, [])
  return [width, element] as const
}

function Lanes({ layout: { x, height, width } }: { readonly layout: Layout }) {
  return (
    <g aria-hidden="true">
      {(Object.keys(laneNames) as (keyof typeof laneNames)[]).map((lane) => (
        <g key={lane}>
          <line class="lifeline" x1={x[lane]} x2={x[lane]} y1={20} y2={height} />
          <text class="lane" x={Math.min(x[lane], width - 28)} y={12} text-anchor="middle">
            {laneNames[lane]}
          </text>
        </g>
      ))}
    </g>
  )
}

interface ItemProps {
  readonly placed: PlacedItem
  readonly layout: Layout
  /** When the first item happened. */
  readonly start: string
  readonly isCurrent: boolean
}

function Item({ placed, layout, start, isCurrent }: ItemProps) {
  const { item, top, height, y, hasTime } = placed
  const { width, isCompact } = layout
  const time = clockTime(item.at, 8)
  const left = isCompact ? 0 : 54
  return (
    <g role="listitem" class={isCurrent ? 'current' : ''}>
      {/* Screen readers get the sentence of the link instead. */}
      <g aria-hidden="true">
        <rect class="area" x={left} y={top + 1} width={width - left} height={height - 2} rx={6} />
        {!isCompact && hasTime && (
          <text class="at" x={0} y={y + 4}>
            {item.at === start ? time : offset(item.at, start)}
          </text>
        )}
        <Content item={item} y={y} layout={layout} />
      </g>
      {/* It lies above the texts, so that the whole area is the target. */}
      <a
        href={formatRoute({ screen: 'timeline', id: item.seq })}
        aria-label={`${time}: ${item.sentence}`}
        {...(isCurrent ? { 'aria-current': true } : {})}
      >
        <rect class="target" x={left} y={top + 1} width={width - left} height={height - 2} rx={6} />
      </a>
    </g>
  )
}

/** The width of a character, roughly. */
const MAX_CHARACTER_PX = 7

const offset = (at: string, start: string): string => {
  const ms = Date.parse(at) - Date.parse(start)
  return ms < 0
    ? `−${formatShortDuration(-ms)}`
    : `+${formatShortDuration(ms < 1_000 ? 0 : ms)}`.replace('+0 ms', '+0 s')
}

interface ContentProps<Shown extends DiagramItem = DiagramItem> {
  readonly item: Shown
  readonly y: number
  readonly layout: Layout
}

function Content({ item, y, layout }: ContentProps) {
  switch (item.kind) {
    case 'call':
      return <Call item={item} y={y} layout={layout} />
    case 'step':
      return <Step item={item} y={y} layout={layout} />
    case 'attempt':
      return <Attempt item={item} y={y} layout={layout} />
    case 'note':
      return <Note item={item} y={y} layout={layout} />
    case 'clock':
      return (
        <>
          <rect class="clock-band" x={0} y={y - 11} width={layout.width} height={23} rx={6} />
          <Text x={layout.width / 2} y={y + 5} tone="warn">
            {item.text}
          </Text>
        </>
      )
  }
}

function Call({ item, y, layout: { x, isCompact } }: ContentProps<CallItem>) {
  const middle = (x[item.from] + x[item.to]) / 2
  return (
    <>
      <Text x={middle} y={y - 6}>
        {shown(item.label, isCompact)}
      </Text>
      <Arrow from={x[item.from]} to={x[item.to]} y={y} />
      <Text x={middle} y={y + 21} tone={item.answer.tone}>
        {shown(item.answer, isCompact)}
      </Text>
      <Arrow from={x[item.to]} to={x[item.from]} y={y + 27} tone={item.answer.tone} isDashed />
    </>
  )
}

const Step = ({ item, y, layout: { x, isCompact } }: ContentProps<StepItem>) => (
  <>
    <Text x={(x[item.from] + x[item.to]) / 2} y={y - 6} tone={item.label.tone}>
      {shown(item.label, isCompact)}
    </Text>
    <Arrow from={x[item.from]} to={x[item.to]} y={y} tone={item.label.tone} />
  </>
)

function Attempt({ item, y, layout: { x, width, isCompact } }: ContentProps<AttemptItem>) {
  const { label, answer, isSent, isAnswered, wait, nextAttemptAt } = item
  const middle = (x.sandbox + x.receiver) / 2
  const text = [shown(label, isCompact), shown(answer, isCompact)].filter(Boolean).join(' · ')
  const end = isSent ? x.receiver : (x.sandbox + x.customer) / 2
  // A text that is too long ends at the right edge.
  const isTooLong = (text.length * MAX_CHARACTER_PX) / 2 > width - middle
  return (
    <>
      {wait !== null && <Wait x={x.sandbox} from={y - 26} to={y} text={wait} />}
      <Text
        x={isTooLong ? width : middle}
        y={y - 6}
        tone={answer.tone}
        isStrong={answer.tone === 'err'}
        anchor={isTooLong ? 'end' : 'middle'}
      >
        {text}
      </Text>
      <Arrow
        from={x.sandbox}
        to={end}
        y={y}
        tone={isSent ? 'plain' : answer.tone}
        isDashed={!isSent}
        head={isSent ? (isAnswered ? 'arrow' : 'cross') : 'bars'}
        {...(isSent && !isAnswered ? { headTone: answer.tone } : {})}
      />
      {isAnswered && <Arrow from={x.receiver} to={x.sandbox} y={y + 9} tone={answer.tone} isDashed />}
      {nextAttemptAt !== null && (
        <Wait x={x.sandbox} from={y + 14} to={y + 40} text={`retry at ${clockTime(nextAttemptAt)}`} />
      )}
    </>
  )
}

const Note = ({ item, y, layout: { x, isCompact } }: ContentProps<NoteItem>) => (
  <>
    <circle class="start" cx={x.sandbox} cy={y} r={3.5} data-tone={item.label.tone} />
    <Text x={x.sandbox + 10} y={y + 4} tone={item.label.tone} anchor="start">
      {shown(item.label, isCompact)}
    </Text>
  </>
)

/** A dashed loop on a lane, with the duration of a wait. */
const Wait = ({ x, from, to, text }: Readonly<Record<'x' | 'from' | 'to', number> & { text: string }>) => (
  <>
    <path
      class="wire"
      data-tone="warn"
      d={`M${x - 5} ${from}C${x - 40} ${from + 2} ${x - 40} ${to} ${x - 12} ${to}`}
      stroke-dasharray="3 3"
    />
    <Head x={x - 5} y={to} direction={1} tone="warn" />
    <Text x={x - 38} y={(from + to) / 2 + 4} tone="warn" anchor="end">
      {text}
    </Text>
  </>
)

interface ArrowProps {
  readonly from: number
  readonly to: number
  readonly y: number
  readonly tone?: Tone
  readonly isDashed?: boolean
  /** A cross means that there was no answer. Two bars mean that the request waits. */
  readonly head?: 'arrow' | 'cross' | 'bars'
  readonly headTone?: Tone
}

function Arrow({
  from,
  to,
  y,
  tone = 'plain',
  isDashed = false,
  head = 'arrow',
  headTone = tone,
}: ArrowProps) {
  const direction = Math.sign(to - from)
  const end = to - 5 * direction
  return (
    <>
      <line
        class="wire"
        data-tone={tone}
        x1={from + 5 * direction}
        x2={end - 4 * direction}
        y1={y}
        y2={y}
        {...(isDashed ? { 'stroke-dasharray': '4 3' } : {})}
      />
      <circle class="start" data-tone={tone} cx={from} cy={y} r={3} />
      {head === 'arrow' && <Head x={end} y={y} direction={direction} tone={tone} />}
      {head === 'cross' && <path class="mark" data-tone={headTone} d={`M${end - 8} ${y - 4}l8 8m0-8l-8 8`} />}
      {head === 'bars' && <path class="mark" data-tone={headTone} d={`M${end} ${y - 5}v10m4-10v10`} />}
    </>
  )
}

interface HeadProps {
  readonly x: number
  readonly y: number
  readonly direction: number
  readonly tone: Tone
}

const Head = ({ x, y, direction, tone }: HeadProps) => (
  <path class="arrowhead" data-tone={tone} d={`M${x} ${y}l${-8 * direction}-3.5v7z`} />
)

interface TextProps {
  readonly x: number
  readonly y: number
  readonly tone?: Tone
  readonly isStrong?: boolean
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly children: ComponentChildren
}

const Text = ({ x, y, tone = 'plain', isStrong = false, anchor = 'middle', children }: TextProps) => (
  <text
    class={isStrong ? 'label strong' : 'label'}
    data-tone={tone}
    x={x}
    y={y}
    text-anchor={anchor}
    unicode-bidi="isolate"
  >
    {children}
  </text>
)

const shown = (label: Label, isCompact: boolean): string => (isCompact ? label.brief : label.text)
