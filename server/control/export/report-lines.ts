import type { Store } from '../../store/store.ts'
import { readCurrentJournal } from './current-journal.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import { createTurns } from '../../platform/system/turns.ts'
import * as links from '../../store/repositories/links.ts'
import * as events from '../../store/journal/events.ts'
import { openPoints } from '../../domain/behaviors/open-points.ts'
import { MAX_REPORT_EVENTS, computeReportRange } from '../../domain/events/report-range.ts'
import { maskOfAccounts } from '../../service/operations/accounts/account-mask.ts'
import type { ReportHeader, ReportedEvent } from '../../contract/report.ts'
import { presentAccount, presentEvent, toAbsoluteUrl } from '../../contract/views.ts'
import type { RecordedEvent } from '../../domain/events/event.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import { intendedExchange } from '../../domain/webhooks/delivery.ts'

const PAGE_SIZE = 50

interface ReportOptions {
  readonly account: string | undefined
  readonly about: string | undefined
  readonly version: string
  readonly madeAt: string
  readonly baseUrl: string
}

/**
 * The data of a report as lines of JSON: a header, then one line per event. Read and masked page by page. Throws `JournalEndedError`
 * if a reset replaces the journal in the meantime.
 */
export async function* reportLines(
  store: Store,
  { account, about, version, madeAt, baseUrl }: ReportOptions,
): AsyncGenerator<string> {
  const { db } = store
  const filter = account === undefined ? {} : { accountId: account }
  const journal = await readCurrentJournal(db, account)
  const all = await accounts.list(db)
  const recipients = account === undefined ? new Set() : await links.recipientsOf(db, account)
  const sizes = await events.sizes(db, filter, MAX_REPORT_EVENTS)
  const range = computeReportRange(sizes)
  const head = sizes[0]?.seq ?? 0
  const included = sizes.filter(({ seq }) => seq >= range.events).length
  const mask = await maskOfAccounts(store)

  const header: ReportHeader = {
    version,
    madeAt,
    epoch: journal.epoch,
    head,
    accounts: all
      .filter(({ id }) => account === undefined || id === account)
      .map((one) => presentAccount(one, baseUrl)),
    involved: all
      .filter(({ id }) => id !== account && recipients.has(id))
      .map(({ id, name }) => ({ id, name })),
    account: account ?? null,
    about: about ?? null,
    leftOut: (await events.count(db, { ...filter, before: head + 1 })) - included,
    bytesFrom: Number.isFinite(range.bytes) ? range.bytes : null,
    assumptions: openPoints,
  }
  await journal.assertCurrent()
  yield `${JSON.stringify(mask.value(header))}\n`

  const letOthersRun = createTurns()
  for (let last = range.events - 1; last < head;) {
    await letOthersRun()
    const page = await events.listWithBytes(db, { ...filter, after: last, before: head + 1 }, PAGE_SIZE)
    last = page.at(-1)?.event.seq ?? head
    const lines: string[] = []
    for (const { event, exchange } of page) {
      await letOthersRun()
      const bytes = event.seq >= range.bytes ? (exchange ?? (await intendedRequest(event))) : null
      const own = mask.forExchange(bytes)
      const reported: ReportedEvent = {
        ...own.value(presentEvent(event, baseUrl)),
        exchange: bytes && (await own.exchange(bytes, letOthersRun)),
      }
      lines.push(JSON.stringify(reported))
    }
    await journal.assertCurrent()
    yield `${lines.join('\n')}\n`
  }

  /** The request of a webhook that was queued, held or delayed, but not sent. */
  async function intendedRequest(event: RecordedEvent): Promise<Exchange | null> {
    if (!('deliveryId' in event) || event.type === 'delivery.attempted') return null
    const delivery = await deliveries.find(db, event.deliveryId)
    return delivery
      ? intendedExchange({ ...delivery, target: toAbsoluteUrl(delivery.target, baseUrl) })
      : null
  }
}
