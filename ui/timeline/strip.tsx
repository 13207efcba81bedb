import { computed, useSignal, type ReadonlySignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef, useEffect, useState } from 'preact/hooks'
import { dayNames } from '../data/day-names.ts'
import { navigate, route } from '../browser/route.ts'
import { clockTime } from '../browser/time-text.ts'
import { selectedEvent } from '../details/selected-event.ts'
import { BAR_STEP, buildStrip, GAP_WIDTH, pixelOf, timeAt, type Strip as Data } from './build-strip.ts'
import { formatShortDuration } from '../../server/contract/format/values.ts'
import { moments } from './moments.ts'
import { rangeText } from './range-text.ts'
import { timeRange, view } from '../search/view.ts'

const HEIGHT = 40

const hasNoMatch = computed(() => view.value.rows.length === 0)

/** Events over time. Dragging, or the arrow keys, select a part of the time. */
export function TimeStrip() {
  const element = useRef<HTMLDivElement>(null)
  const width = useSignal(0)
  const draft = useSignal<{ readonly start: number; readonly end: number } | undefined>(undefined)
  useLayoutEffect(() => {
    const measure = () => (width.value = element.current!.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])

  // Without a pause, counting many events would take longer than a frame.
  const shown = useThrottled(moments)
  const data = useMemo(() => buildStrip(shown, width.value), [shown, width.value])
  const range = timeRange.value
  const isFaded = hasNoMatch.value
  const selected = selectedEvent.value
  const shade = draft.value
    ? {
        start: Math.min(draft.value.start, draft.value.end),
        end: Math.max(draft.value.start, draft.value.end),
      }
    : range && {
        start: pixelOf(data, Date.parse(range.from)),
        end: pixelOf(data, Date.parse(range.to)),
      }

  const xOf = ({ clientX }: PointerEvent) => clientX - element.current!.getBoundingClientRect().left
  const onPointerUp = () => {
    const drawn = draft.value
    draft.value = undefined
    if (!drawn || Math.abs(drawn.end - drawn.start) < 4) return
    setRange(data, Math.min(drawn.start, drawn.end), Math.max(drawn.start, drawn.end))
  }

  return (
    <section class="strip" aria-label="Events over time">
      <div
        ref={element}
        class="strip-chart"
        title="Drag to zoom"
        data-faded={isFaded}
        role="slider"
        tabIndex={0}
        aria-label="Time range"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((100 * (shade?.start ?? 0)) / Math.max(1, width.value))}
        aria-valuetext={range ? rangeText(range) : 'all events'}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          draft.value = { start: xOf(event), end: xOf(event) }
        }}
        onPointerMove={(event) => {
          if (draft.value) draft.value = { ...draft.value, end: xOf(event) }
        }}
        onPointerUp={onPointerUp}
        onPointerCancel={() => (draft.value = undefined)}
        onKeyDown={(event) => onKey(event, data, width.value, shade)}
      >
        <svg width={width.value} height={HEIGHT + 18} aria-hidden="true">
          {shade && (
            <rect
              class="shade"
              x={shade.start}
              y="0"
              width={Math.max(2, shade.end - shade.start)}
              height={HEIGHT}
            />
          )}
          {data.segments.map((segment) => (
            <g key={segment.from}>
              <path class="axis" d={`M${segment.x} ${HEIGHT + 0.5}h${segment.width}`} />
              {(['other', 'waiting', 'failed'] as const).map((outcome) => (
                <path
                  key={outcome}
                  class={outcome}
                  d={barsOf(segment.bars, segment.x, outcome, data.highest)}
                />
              ))}
              <text x={segment.x} y={HEIGHT + 14}>
                {segmentLabel(segment.from, segment.width)}
              </text>
            </g>
          ))}
          {data.gaps.map(({ x, ms }) => (
            <g key={x} class="gap">
              <text x={x + GAP_WIDTH / 2 - 2} y={HEIGHT - 8} text-anchor="middle">
                {formatShortDuration(ms)}
              </text>
              <path d={`M${x + 16} ${HEIGHT + 0.5}h4l3 -4l4 8l3 -4h4`} />
            </g>
          ))}
          {selected && data.segments.length > 0 && (
            <path
              class="mark"
              d={`M${pixelOf(data, Date.parse(selected.at))} 4v${HEIGHT - 4}m-4 ${-HEIGHT}h8l-4 5z`}
            />
          )}
        </svg>
      </div>
    </section>
  )
}

/** One path with the bars of an outcome. Failures are at the bottom, then retries, then the rest. */
function barsOf(
  bars: Data['segments'][number]['bars'],
  x: number,
  outcome: 'failed' | 'waiting' | 'other',
  highest: number,
): string {
  const scale = HEIGHT / Math.max(4, highest)
  const heightOf = (count: number): number => (count === 0 ? 0 : Math.max(2, Math.round(count * scale)))
  return bars
    .map((bar, index) => {
      const height = heightOf(bar[outcome])
      if (height === 0) return ''
      const below =
        (outcome === 'failed' ? 0 : heightOf(bar.failed)) + (outcome === 'other' ? heightOf(bar.waiting) : 0)
      const top = Math.max(0, HEIGHT - below - height)
      return `M${x + index * BAR_STEP} ${HEIGHT - below}V${top}h${BAR_STEP - 1}V${HEIGHT - below}z`
    })
    .join('')
}

function setRange(data: Data, start: number, end: number): void {
  const from = new Date(timeAt(data, start)).toISOString()
  const to = new Date(timeAt(data, end)).toISOString()
  const { screen } = route.peek()
  navigate({ screen: 'timeline', range: `${from}..${to}` }, screen === 'timeline' ? 'replace' : 'push')
}

/** Arrows move the range, Shift and arrows widen or narrow it, Escape clears it. */
function onKey(
  event: KeyboardEvent,
  data: Data,
  width: number,
  range: { readonly start: number; readonly end: number } | undefined,
): void {
  if (event.key === 'Escape' && range) navigate({ range: undefined }, 'replace')
  else {
    const step = { ArrowLeft: -BAR_STEP, ArrowRight: BAR_STEP, Home: -width, End: width }[event.key]
    if (step === undefined) return
    const { start, end } = range ?? { start: 0, end: width / 4 }
    const clamp = (x: number) => Math.max(0, Math.min(width, x))
    if (!range) setRange(data, start, end)
    else if (event.shiftKey) setRange(data, start, Math.max(start + BAR_STEP, clamp(end + step)))
    else setRange(data, clamp(Math.min(start + step, width - (end - start))), clamp(end + step))
  }
  event.preventDefault()
  event.stopPropagation()
}

function segmentLabel(from: number, width: number): string {
  const at = new Date(from).toISOString()
  return width < 60 ? clockTime(at) : `${dayNames.value.weekday(at)} ${clockTime(at)}`
}

const INTERVAL_MS = 200

/** The value of a signal, at most 200 ms old, so that it is not rendered in the frame that renders the change elsewhere. */
function useThrottled<Value>(signal: ReadonlySignal<Value>): Value {
  const [value, setValue] = useState(signal.peek())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = signal.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        setValue(signal.peek())
      }, INTERVAL_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [signal])
  return value
}
