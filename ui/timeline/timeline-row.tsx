import { computed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatTook, plural } from '../../server/contract/format/values.ts'
import type { SentCheck } from '../data/describe-check.ts'
import type { FindingView } from '../data/event-index.ts'
import type { Entry } from '../data/log.ts'
import { Icon } from '../components/icon.tsx'
import { Marked } from '../components/marked.tsx'
import { StatusMark } from '../components/status.tsx'
import { Time } from '../components/time.tsx'
import { log } from '../data/session.ts'
import { eventText } from '../components/event-text.ts'
import { asksForChecks } from '../search/create-view.ts'
import { query, searchedPhrases, unfold, unfoldedChecks } from '../search/view.ts'
import { rowId } from './row-id.ts'
import { openMenuAtPointer } from './open-row-menu.ts'
import { TookBar } from '../components/took-bar.tsx'

interface Props {
  readonly entry: Entry
  readonly index: number
  readonly isSelected: boolean
  /** With Shift, the row is compared with the selected row. */
  readonly onSelect: (seq: number, isShift?: boolean) => void
}

/** One event. On a narrow list, the style sheet arranges the cells in two lines. */
export function TimelineRow({ entry, index, isSelected, onSelect }: Props) {
  const { event, row } = entry
  // The log changes with each event. The row is rendered again only if its findings or its link change.
  const [findings, link] = useMemo(
    () =>
      [
        computed(() => log.journal.value.eventIndex.findingsOf(event.seq)),
        computed(() => log.journal.value.eventIndex.linkOf(row.payId)),
      ] as const,
    [entry],
  )
  const check = log.journal.peek().eventIndex.checkOf(event)
  const { lead, rest, reason } = eventText(entry, link.value)
  // Most findings about a failure repeat the reason that the row shows, so they are left out.
  const finding = findings.value.find(({ severity, code }) =>
    reason === undefined ? severity !== 'hint' : SAYS_MORE.has(code),
  )
  return (
    <div
      role="row"
      id={rowId(event.seq)}
      class="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-reason={reason}
      data-clock={event.type === 'clock.changed'}
      data-part={entry.partOf !== undefined}
      onClick={({ shiftKey }) => onSelect(event.seq, shiftKey)}
      onContextMenu={(pressed) => {
        pressed.preventDefault()
        onSelect(event.seq)
        openMenuAtPointer(pressed)
      }}
    >
      <div role="gridcell" class="time">
        <Time at={event.at} />
      </div>
      <div role="gridcell" class="kind" data-kind={row.kind}>
        <Icon name={row.kind} size={14} />
        <span class="word">
          <SearchedText text={row.kind} />
        </span>
      </div>
      <div role="gridcell" class="state">
        <StatusMark {...row} />
      </div>
      <div role="gridcell" class="event">
        {check?.first === event.seq && check.count > 1 && !asksForChecks(query.value) && (
          <UnfoldButton check={check} />
        )}
        <span class="lead" translate={false}>
          <bdi>
            <SearchedText text={lead} />
          </bdi>
        </span>{' '}
        <span class="rest">
          <SearchedText text={rest} />
          {finding && (
            <span class="finding" data-severity={finding.severity}>
              {rest !== '' && ' · '}
              <SearchedText text={finding.title} />
            </span>
          )}
        </span>
      </div>
      <div role="gridcell" class="order">
        <bdi>
          <SearchedText text={link.value?.note.slice(0, MAX_NOTE) ?? ''} />
        </bdi>
      </div>
      <div role="gridcell" class="pay">
        {row.payId !== null && <SearchedText text={String(row.payId)} />}
      </div>
      <div role="gridcell" class="took">
        {row.took !== null && (
          <>
            <TookBar ms={row.took} />
            {formatTook(row.took)}
          </>
        )}
      </div>
    </div>
  )
}

/** Shows or hides the webhooks of a check below its row. */
function UnfoldButton({ check: { first, count } }: { readonly check: SentCheck }) {
  const isOpen = unfoldedChecks.value.has(first)
  return (
    <button
      type="button"
      class="unfold icon-only"
      tabIndex={-1}
      aria-expanded={isOpen}
      onClick={(event) => {
        event.stopPropagation()
        unfold(first, !isOpen)
      }}
    >
      <Icon name="down" size={14} />
      <span class="visually-hidden">{plural(count, 'webhook')} of this check</span>
    </button>
  )
}

const SAYS_MORE: ReadonlySet<FindingView['code']> = new Set(['receiverWantsJson', 'containerLocalhost'])

const SearchedText = ({ text }: { readonly text: string }) => (
  <Marked text={text} phrases={searchedPhrases.value} />
)

/** The row has no space for a longer text. */
const MAX_NOTE = 200
