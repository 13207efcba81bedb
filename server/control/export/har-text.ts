import { harEntry, harPage } from '../../domain/har/write-har.ts'
import { maskOfAccounts } from '../../service/operations/accounts/account-mask.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import { createTurns, sortInTurns } from '../../platform/system/turns.ts'
import * as events from '../../store/journal/events.ts'
import * as links from '../../store/repositories/links.ts'
import type { Store } from '../../store/store.ts'
import { readCurrentJournal } from './current-journal.ts'

interface HarOptions {
  readonly filter: Pick<events.EventQuery, 'accountId' | 'linkId' | 'after'>
  readonly version: string
}

const LINKS_PER_PAGE = 100

/** Few entries, because each may have two million bytes. */
const ENTRIES_PER_PAGE = 20

/**
 * The text of an HTTP Archive. Exchanges are sorted by `startedAt`, because the event of an attempt is recorded only when the
 * attempt ends. Read and masked page by page. Throws `JournalEndedError` if a reset replaces the journal in the meantime.
 */
export async function* harText(store: Store, { filter, version }: HarOptions): AsyncGenerator<string> {
  const { db } = store
  const journal = await readCurrentJournal(db, filter.accountId)
  const { head } = await events.range(db)
  const recorded = { ...filter, before: head + 1 }
  const mask = await maskOfAccounts(store)
  const order = await events.listByStart(db, recorded)
  await journal.assertCurrent()
  const letOthersRun = createTurns()

  const creator = { name: 'paylink-sandbox', version }
  const details = { epoch: journal.epoch, head, ...filter }
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"_sandbox":${JSON.stringify(details)},"pages":[`
  yield* joined(pages())
  yield '],"entries":['
  yield* joined(entries())
  yield ']}}\n'

  async function* pages(): AsyncGenerator<string[]> {
    // The first exchange of a link is the beginning of the link.
    const beganAt = new Map<number, Instant>()
    for (const { linkId, began } of order) {
      if (linkId !== null && !beganAt.has(linkId)) beganAt.set(linkId, began)
      await letOthersRun()
    }
    const ids = await sortInTurns([...beganAt.keys()], (one, other) => one - other)
    for (let start = 0; start < ids.length; start += LINKS_PER_PAGE) {
      await letOthersRun()
      const page = await links.listByIds(db, ids.slice(start, start + LINKS_PER_PAGE))
      await journal.assertCurrent()
      yield page.map((link) => JSON.stringify(harPage(mask.value(link), beganAt.get(link.id)!)))
    }
  }

  async function* entries(): AsyncGenerator<string[]> {
    for (let start = 0; start < order.length; start += ENTRIES_PER_PAGE) {
      await letOthersRun()
      const some = order.slice(start, start + ENTRIES_PER_PAGE).map(({ seq }) => seq)
      const page = await events.listBySeqs(db, some)
      await journal.assertCurrent()
      const lines: string[] = []
      for (const { event, exchange } of page) {
        await letOthersRun()
        if (!exchange) continue
        const own = mask.forExchange(exchange)
        const masked = await own.exchange(exchange, letOthersRun)
        lines.push(JSON.stringify(harEntry(own.value(event), masked, own.text)))
      }
      yield lines
    }
  }
}

/** Joins JSON values with commas, one per line. */
async function* joined(pages: AsyncIterable<string[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    for (const value of page) {
      yield isFirst ? `\n${value}` : `,\n${value}`
      isFirst = false
    }
  }
}
