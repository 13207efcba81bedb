import { formatCount } from '../../server/contract/format/values.ts'
import { navigate, route } from '../browser/route.ts'
import { connection, isLoadingEvents } from '../data/session.ts'
import { verdict } from '../data/verdict.ts'
import { Grid } from '../components/grid.tsx'
import { Icon } from '../components/icon.tsx'
import { NothingYet } from '../first-run/nothing-yet.tsx'
import { Panes } from '../components/panes.tsx'
import { CorrectedNotice } from '../search/corrected-notice.tsx'
import { isSearchingBodies } from '../search/view.ts'
import { NoMatch } from '../search/no-match.tsx'
import { paymentGroups, type PaymentGroup } from '../data/attention.ts'
import { PaymentNotices } from './payment-notices.live.tsx'
import { PaymentDetails } from './payment-details.tsx'
import {
  groupCounts,
  isRanked,
  parsedQuery,
  paymentList,
  paymentReading,
  selectedPayId,
  selectedPaymentIndex,
  shownQuery,
  sort,
  sortBy,
  sortKeys,
  stepPayment,
  type SortKey,
} from './payment-list.ts'
import { paymentCount } from './payment-counts.ts'
import { PaymentRow, paymentRowId } from './payment-row.tsx'

export { loadJourney } from './journey.tsx'

const columns = ['Payment', 'Amount', 'Status', 'Webhooks', 'Order', 'Account', 'Method', 'Age']

export function PaymentsScreen() {
  const list = paymentList.value
  const payId = selectedPayId.value
  const query = shownQuery.value

  return (
    <Panes
      isOpen={payId !== undefined}
      list={
        <section class="list payments" aria-label="Payment links">
          {paymentCount.value > 0 && <Groups />}
          <CorrectedNotice query={query} corrected={paymentReading.value.corrected} />
          <PaymentNotices query={query} isOfMissed={query.trim() === groupQueries.missed} />
          <Grid
            label="Payments"
            columns={columns}
            head={columnHead}
            count={list.length}
            selected={selectedPaymentIndex.value}
            selectedId={payId === undefined ? undefined : paymentRowId(payId)}
            current={Math.max(0, selectedPaymentIndex.value)}
            onMove={stepPayment}
            onOpen={() => {
              if (payId === undefined) stepPayment(1)
              requestAnimationFrame(() => document.getElementById('details')?.focus())
            }}
            row={(index) => {
              const listed = list[index]
              return listed && <PaymentRow key={listed.payment.link.payId} listed={listed} index={index} />
            }}
          />
          {list.length === 0 && <EmptyList query={query} />}
        </section>
      }
      details={<PaymentDetails payId={payId} />}
    />
  )
}

/** Why no payment is listed. */
function EmptyList({ query }: { readonly query: string }) {
  if (connection.value === 'connecting') return <p class="hint delayed">Connecting to the sandbox…</p>
  if (isLoadingEvents.value) return <p class="hint delayed">Loading older events…</p>
  if (paymentCount.value === 0) return <NothingYet what="payments" />
  if (isSearchingBodies(query)) return null
  const group = groups.find((one) => groupQueries[one] === query.trim())
  if (!group)
    return <NoMatch query={query} what="payment" problems={parsedQuery.value.problems} repairs={[]} />
  return (
    <div class="hint no-match">
      <h2>{group === 'missed' ? verdict.value.headline : emptyGroups[group]}</h2>
      <button type="button" onClick={() => show('')}>
        Show all payments
      </button>
    </div>
  )
}

const isSortKey = (column: string): column is SortKey => sortKeys.some((key) => key === column)

/** The head of a column: a button that sorts by it. */
function columnHead(column: string) {
  if (!isSortKey(column)) return { content: <span class="visually-hidden">{column}</span> }
  const { key, direction } = sort.value
  const isSorted = key === column && !isRanked.value
  return {
    content: (
      <button
        type="button"
        class="sort"
        onClick={() => sortBy(column)}
        // Without this, Enter would open the selected payment.
        onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
      >
        {column}
        {isSorted && <Icon name={direction === 'ascending' ? 'down' : 'up'} size={12} />}
      </button>
    ),
    ...(isSorted ? { sort: direction } : {}),
  }
}

/** For each group, the search that shows only this group. */
const groupQueries: Readonly<Record<PaymentGroup, string>> = {
  missed: 'is:missed',
  held: 'webhooks:held',
  transfer: 'status:awaiting-transfer',
}

const emptyGroups: Readonly<Record<Exclude<PaymentGroup, 'missed'>, string>> = {
  held: 'No webhook is held.',
  transfer: 'No payment awaits a transfer.',
}

const groups = Object.keys(paymentGroups) as readonly PaymentGroup[]

const show = (query: string) => navigate({ query }, 'replace')

/** Buttons that show one group of payments, by setting the search. */
function Groups() {
  const query = route.value.query.trim()
  return (
    <div class="chips" role="group" aria-label="Groups of payments">
      <button type="button" class="chip-button" aria-pressed={query === ''} onClick={() => show('')}>
        All <span class="number">{formatCount(paymentCount.value)}</span>
      </button>
      {groups.map((group) => {
        const count = groupCounts.value[group]
        const isPressed = query === groupQueries[group]
        return (
          <button
            key={group}
            type="button"
            class="chip-button"
            aria-pressed={isPressed}
            onClick={() => show(isPressed ? '' : groupQueries[group])}
          >
            {paymentGroups[group]}{' '}
            <span class="number" data-group={count > 0 ? group : undefined}>
              {formatCount(count)}
            </span>
          </button>
        )
      })}
    </div>
  )
}
