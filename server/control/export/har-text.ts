import { harEntry, harPage } from '../../domain/events/har.ts'
import { createMask } from '../../domain/http/mask.ts'
import * as accounts from '../../store/repositories/accounts.ts'
import * as events from '../../store/journal/events.ts'
import * as links from '../../store/repositories/links.ts'
import type { Store } from '../../store/store.ts'
import { readGeneration } from './journal-generation.ts'

interface Made {
  readonly filter: Pick<events.EventFilter, 'accountId' | 'linkId' | 'after'>
  readonly version: string
}

const LINKS = 500

/** With their bytes, of which one may have two million. */
const ENTRIES = 20

/**
 * An HTTP Archive's text, read and masked a page at a time, with the exchanges in the order in which they began. It
 * ends early by `JournalEnded` only.
 */
export async function* harText(store: Store, { filter, version }: Made): AsyncGenerator<string> {
  const { db } = store
  const journal = await readGeneration(db, filter.accountId)
  const { head } = await events.range(db)
  const upToNow = { ...filter, before: head + 1 }
  const mask = createMask(await accounts.keys(db))
  const order = await events.listByStart(db, upToNow)

  const creator = { name: 'paylink-sandbox', version }
  const about = { epoch: journal.epoch, head, ...filter }
  yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"_sandbox":${JSON.stringify(about)},"pages":[`
  yield* joined(pages())
  yield '],"entries":['
  yield* joined(entries())
  yield ']}}\n'

  async function* pages(): AsyncGenerator<string[]> {
    for (let last = 0, isLast = false; !isLast;) {
      const page = await events.listLinksByStart(db, upToNow, { after: last, limit: LINKS })
      const begun = new Map(page.map(({ linkId, began }) => [linkId, began]))
      const found = await links.listByIds(db, [...begun.keys()])
      await journal.assertCurrent()
      yield found.map((link) => JSON.stringify(harPage(mask.value(link), begun.get(link.id)!)))
      last = page.at(-1)?.linkId ?? last
      isLast = page.length < LINKS
    }
  }

  async function* entries(): AsyncGenerator<string[]> {
    for (let start = 0; start < order.length; start += ENTRIES) {
      const page = await events.listBySeqs(db, order.slice(start, start + ENTRIES))
      await journal.assertCurrent()
      yield page.flatMap(({ event, exchange }) =>
        exchange ? [JSON.stringify(harEntry(mask.value(event), mask.exchange(exchange), mask.text))] : [],
      )
    }
  }
}

/** Values of JSON with commas between them, each on a line of its own. */
async function* joined(pages: AsyncIterable<string[]>): AsyncGenerator<string> {
  let isFirst = true
  for await (const page of pages) {
    for (const value of page) {
      yield isFirst ? `\n${value}` : `,\n${value}`
      isFirst = false
    }
  }
}
