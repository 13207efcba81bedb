import type { Store } from '../../store/store.ts'
import { readGeneration } from './journal-generation.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as links from '../../store/repositories/links.ts'
import * as events from '../../store/journal/events.ts'
import { MAX_REPORT_EVENTS, computeReportRange } from '../../domain/events/report-range.ts'
import { createMask, type Mask } from '../../domain/http/mask.ts'
import type { ReportHeader, ReportedEvent } from '../../contract/report.ts'
import { presentAccount, presentEvent, toAbsoluteUrl, type EventView } from '../../contract/views.ts'
import type { RecordedEvent } from '../../domain/events/event.ts'
import type { Exchange } from '../../domain/http/exchange.ts'
import * as deliveries from '../../store/repositories/deliveries.ts'
import { intendedExchange } from '../../domain/webhooks/delivery.ts'

const PAGE = 500

interface Made {
  readonly account: string | undefined
  readonly version: string
  readonly madeAt: string
  readonly baseUrl: string
}

/**
 * A report's data as lines of JSON, read and masked a page at a time. It ends early by `JournalEnded` only.
 */
export async function* reportLines(
  store: Store,
  { account, version, madeAt, baseUrl }: Made,
): AsyncGenerator<string> {
  const { db } = store
  const filter = account === undefined ? {} : { accountId: account }
  const journal = await readGeneration(db, account)
  const all = await accounts.list(db)
  const receiving = account === undefined ? new Set() : await links.recipientsOf(db, account)
  const weights = await events.sizes(db, filter, MAX_REPORT_EVENTS)
  const reach = computeReportRange(weights)
  const head = weights[0]?.seq ?? 0
  const included = weights.filter(({ seq }) => seq >= reach.events).length
  const mask = createMask(await accounts.keys(db))

  const first: ReportHeader = {
    version,
    madeAt,
    epoch: journal.epoch,
    head,
    accounts: all
      .filter(({ id }) => account === undefined || id === account)
      .map((one) => presentAccount(one, baseUrl)),
    involved: all
      .filter(({ id }) => id !== account && receiving.has(id))
      .map(({ id, name }) => ({ id, name })),
    account: account ?? null,
    leftOut: (await events.count(db, { ...filter, before: head + 1 })) - included,
    bytesFrom: Number.isFinite(reach.bytes) ? reach.bytes : null,
  }
  await journal.assertCurrent()
  yield `${JSON.stringify(mask.value(first))}\n`

  for (let last = reach.events - 1; last < head;) {
    const page = await events.listWithBytes(db, { ...filter, after: last, before: head + 1 }, PAGE)
    last = page.at(-1)?.event.seq ?? head
    const lines: string[] = []
    for (const { event, exchange } of page) {
      const bytes = event.seq >= reach.bytes ? (exchange ?? (await intended(event))) : null
      lines.push(JSON.stringify(reported(mask, presentEvent(event, baseUrl), bytes)))
    }
    await journal.assertCurrent()
    yield `${lines.join('\n')}\n`
  }

  /** Of a webhook that was not sent in this event. */
  async function intended(event: RecordedEvent): Promise<Exchange | null> {
    if (!('deliveryId' in event) || event.type === 'delivery.attempted') return null
    const delivery = await deliveries.find(db, event.deliveryId)
    return delivery
      ? intendedExchange({ ...delivery, target: toAbsoluteUrl(delivery.target, baseUrl) })
      : null
  }
}

const reported = (mask: Mask, event: EventView, exchange: Exchange | null): ReportedEvent => ({
  ...mask.value(event),
  exchange: exchange && mask.exchange(exchange),
})
