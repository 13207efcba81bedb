import { formatTook } from '../../server/format/values.ts'
import type { Entry } from '../log.ts'
import { Time } from '../shell/time.tsx'
import { rowId } from './row-id.ts'
import { openMenuAtPointer } from './row-menu.tsx'

interface Props {
  readonly entry: Entry
  readonly index: number
  readonly isSelected: boolean
  readonly onSelect: (seq: number) => void
}

export function TimelineRow({ entry: { event, row }, index, isSelected, onSelect }: Props) {
  return (
    <div
      role="row"
      id={rowId(event.seq)}
      class="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      onClick={() => onSelect(event.seq)}
      onContextMenu={(pressed) => {
        pressed.preventDefault()
        onSelect(event.seq)
        openMenuAtPointer(pressed)
      }}
    >
      <div role="gridcell" class="time">
        <Time at={event.at} />
      </div>
      <div role="gridcell" class="kind">
        <span class="chip" data-kind={row.kind}>
          {row.kind}
        </span>
      </div>
      <div role="gridcell" class="status" data-tone={row.tone}>
        {row.status}
      </div>
      <div role="gridcell" class="request" aria-label={row.request}>
        {shorten(row.request)}
      </div>
      <div role="gridcell" class="message">
        {row.message}
      </div>
      <div role="gridcell" class="pay">
        {row.payId}
      </div>
      <div role="gridcell" class="took">
        {row.took !== null && formatTook(row.took)}
      </div>
    </div>
  )
}

/** Truncates the beginning of an address, because its end distinguishes it from others. */
function shorten(request: string) {
  const [, start, end] = /^([^?]*[^?/])(\/[^/].*)$/.exec(request) ?? []
  if (end === undefined) return request
  return (
    <>
      <span style={{ maxWidth: `max(6ch, 100% - ${Math.min(end.length, 20)}ch)` }}>{start}</span>
      {end}
    </>
  )
}
