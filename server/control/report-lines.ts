import type { Exchange } from '../domain/exchange.ts'
import { intendedExchange } from '../domain/delivery.ts'
import type { Recorded } from '../domain/events.ts'
import { createMask, type Mask } from '../domain/mask.ts'
import { reachOf, REPORT_EVENTS } from '../domain/report.ts'
import * as accounts from '../store/accounts.ts'
import * as deliveries from '../store/deliveries.ts'
import * as events from '../store/events.ts'
import * as links from '../store/links.ts'
import type { Store } from '../store/store.ts'
import { currentJournal } from './journal-ended.ts'
import { absolute, presentAccount, presentEvent, type ShownAccount, type ShownEvent } from './present.ts'

/** The first line of a report's data. */
export interface ReportHead {
  readonly version: string
  readonly madeAt: string
  readonly epoch: string
  /** The newest `seq` in it. */
  readonly head: number
  readonly accounts: readonly ShownAccount[]
  /** Whom the links of the one account involve besides. */
  readonly involved: readonly Pick<ShownAccount, 'id' | 'name'>[]
  /** The account it is limited to. */
  readonly account: string | null
  /** How many older events had no room. */
  readonly leftOut: number
  /** The oldest event whose bytes had room. */
  readonly bytesFrom: number | null
}

/** Every further line of it. */
export type ReportedEvent = ShownEvent & { readonly exchange: Exchange | null }

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
export async function* linesOf(
  store: Store,
  { account, version, madeAt, baseUrl }: Made,
): AsyncGenerator<string> {
  const { db } = store
  const filter = account === undefined ? {} : { accountId: account }
  const journal = await currentJournal(db, account)
  const all = await accounts.list(db)
  const receiving = account === undefined ? new Set() : await links.recipientsOf(db, account)
  const weights = await events.weights(db, filter, REPORT_EVENTS)
  const reach = reachOf(weights)
  const head = weights[0]?.seq ?? 0
  const included = weights.filter(({ seq }) => seq >= reach.events).length
  const mask = createMask(await accounts.keys(db))

  const first: ReportHead = {
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
  await journal.stillGoesOn()
  yield `${JSON.stringify(mask.value(first))}\n`

  for (let last = reach.events - 1; last < head;) {
    const page = await events.listWithBytes(db, { ...filter, after: last, before: head + 1 }, PAGE)
    last = page.at(-1)?.event.seq ?? head
    const lines: string[] = []
    for (const { event, exchange } of page) {
      const bytes = event.seq >= reach.bytes ? (exchange ?? (await intended(event))) : null
      lines.push(JSON.stringify(reported(mask, presentEvent(event, baseUrl), bytes)))
    }
    await journal.stillGoesOn()
    yield `${lines.join('\n')}\n`
  }

  /** Of a webhook that was not sent in this event. */
  async function intended(event: Recorded): Promise<Exchange | null> {
    if (!('deliveryId' in event) || event.type === 'delivery.attempted') return null
    const delivery = await deliveries.find(db, event.deliveryId)
    return delivery ? intendedExchange({ ...delivery, target: absolute(delivery.target, baseUrl) }) : null
  }
}

const reported = (mask: Mask, event: ShownEvent, exchange: Exchange | null): ReportedEvent => ({
  ...mask.value(event),
  exchange: exchange && mask.exchange(exchange),
})
