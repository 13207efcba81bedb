import { computed, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { formatCount, plural } from '../../server/contract/format/values.ts'
import { MAX_ENTRIES, type Entry } from '../data/log.ts'
import { connection, isLoadingEvents, log } from '../data/session.ts'
import { navigate, route } from '../browser/route.ts'
import { hasComparison, screenTitle } from '../browser/screens.ts'
import { isNarrow } from '../browser/media.ts'
import { Grid } from '../components/grid.tsx'
import { Panes } from '../components/panes.tsx'
import { lazy } from '../components/lazy.tsx'
import { CorrectedNotice } from '../search/corrected-notice.tsx'
import { NothingYet } from '../first-run/nothing-yet.tsx'
import { DayLine } from './day-line.tsx'
import { dayList } from './days.ts'
import { FollowSwitch } from './follow-switch.live.tsx'
import { TimelineNotices } from './timeline-notices.live.tsx'
import { openMenuAtSelectedRow } from './open-row-menu.ts'
import { rowId } from './row-id.ts'
import { TimelineRow } from './timeline-row.tsx'
import { openSelected } from './open-selected.ts'
import {
  currentIndex,
  isFollowing,
  isSearchingBodies,
  select,
  selectedIndex,
  selectedSeq,
  step,
  timeRange,
  unfoldCurrent,
  view,
} from '../search/view.ts'

const Details = lazy(async () => (await import('../details/details.tsx')).Details, 'empty')
const QuickFilters = lazy(async () => (await import('./quick-filters.tsx')).QuickFilters, 'empty')
const RowMenu = lazy(async () => (await import('./row-menu.tsx')).RowMenu, 'empty')
const Strip = lazy(async () => (await import('./strip.tsx')).TimeStrip, 'empty')
const TimelineNoMatch = lazy(async () => (await import('./timeline-no-match.tsx')).TimelineNoMatch, 'empty')

const columns = ['Time', 'Kind', 'Status', 'Event', 'Order', 'Payment', 'Took']

function selectOrCompare(seq: number, isShift = false): void {
  const first = selectedSeq.peek()
  if (hasComparison && isShift && first !== undefined && first !== seq) navigate({ other: seq })
  else select(seq)
}

/** A sandbox is empty until someone uses it. The first steps include a test request, and a sample that can be undone. */
const isOfEmptySandbox = ({ row, event }: Entry): boolean =>
  row.kind === 'system' ||
  event.type === 'snapshot.taken' ||
  event.type === 'sandbox.restored' ||
  (event.type === 'check.sent' && event.check === null)

const separators = computed(() =>
  dayList.value.map((day) => ({ index: day.index, content: () => <DayLine day={day} /> })),
)

export function TimelineScreen() {
  const { rows, removed, reading, query: shownQuery } = view.value
  const { entries, dropped, missing } = log.journal.value
  const seq = selectedSeq.value
  const seenTo = useSignal(0)
  const isEmpty = !isLoadingEvents.value && entries.every(isOfEmptySandbox)
  const query = route.value.query
  const isFirstRun = isEmpty && (query === '' || entries.length === 0) && seq === undefined

  useEffect(() => {
    if (selectedSeq.peek() === undefined) isFollowing.value = true
  }, [])

  // Events from before the connection are not new to the user.
  const seenEpochCount = useRef(-1)
  useSignalEffect(() => {
    const { head, epochCount } = log.journal.value
    if (head === 0 || seenEpochCount.current === epochCount) return
    seenEpochCount.current = epochCount
    seenTo.value = head
  })

  return (
    <Panes
      isOpen={seq !== undefined}
      list={
        <section class="list timeline" aria-label="Events" onContextMenu={openMenuAtSelectedRow}>
          <h2 class="visually-hidden">{screenTitle('timeline')}</h2>
          {missing > 0 && (
            <p class="notice">
              {plural(missing, 'older event')} deleted: the sandbox keeps only the newest ones (--keep).
            </p>
          )}
          {dropped > 0 && (
            <p class="notice">
              {formatCount(dropped)} older events are no longer shown: this page keeps the newest{' '}
              {formatCount(MAX_ENTRIES)}.
            </p>
          )}
          <CorrectedNotice
            query={shownQuery ?? ''}
            corrected={rows.length > 0 ? reading.corrected : undefined}
          />
          <TimelineNotices isEmpty={isEmpty} />
          {!isEmpty && (
            <div class={isNarrow.value ? 'quick-place' : 'strip-place'}>
              <div class="quick-line">
                <QuickFilters />
                <FollowSwitch seenTo={seenTo} />
              </div>
              {!isNarrow.value && <Strip />}
            </div>
          )}
          {isFirstRun ? (
            <NothingYet what="requests" />
          ) : (
            <Grid
              label="Timeline"
              columns={columns}
              count={rows.length}
              removed={removed}
              selected={selectedIndex.value}
              current={currentIndex.value}
              selectedId={seq === undefined ? undefined : rowId(seq)}
              separators={separators.value}
              following={isFollowing}
              onMove={step}
              onOpen={openSelected}
              onUnfold={unfoldCurrent}
              onEndVisible={(isVisible) => {
                if (isVisible) seenTo.value = Math.max(log.journal.peek().last, log.journal.peek().head)
              }}
              row={(index, key) => {
                const entry = rows[index]
                return (
                  entry && (
                    <TimelineRow
                      key={key}
                      entry={entry}
                      index={index}
                      isSelected={entry.event.seq === seq}
                      onSelect={selectOrCompare}
                    />
                  )
                )
              }}
            />
          )}
          {connection.value === 'connecting' && <p class="hint delayed">Connecting to the sandbox…</p>}
          {rows.length === 0 && connection.value !== 'connecting' && isLoadingEvents.value && (
            <p class="hint delayed">Loading older events…</p>
          )}
          {rows.length === 0 &&
            shownQuery === query &&
            !isLoadingEvents.value &&
            entries.length > 0 &&
            (query !== '' || timeRange.value) &&
            !isSearchingBodies(query) && <TimelineNoMatch />}
        </section>
      }
      details={
        <>
          <Details seq={seq} />
          <RowMenu />
        </>
      }
    />
  )
}
