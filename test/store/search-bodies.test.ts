import { expect, test } from 'vitest'
import { textBody } from '../../server/domain/http/exchange.ts'
import { noSubject } from '../../server/domain/links/subject.ts'
import { MAX_SLICE_BYTES, searchBodies } from '../../server/store/journal/search-bodies.ts'
import { openStore } from '../support/open-store.ts'

const EVENTS = 100
const EVENT_BYTES = 128 * 1024

/** A journal of large bodies, which consist of one character. */
async function openJournal(character: string) {
  const opened = await openStore()
  const { store } = opened
  const body = textBody(character.repeat(EVENT_BYTES))
  for (let count = 0; count < EVENTS; count++) {
    await store.transact(({ record }) =>
      record(
        { type: 'sandbox.started', ...noSubject, version: '1' },
        { request: { method: 'POST', url: 'http://localhost/', headers: [], body }, response: null },
      ),
    )
  }
  return { ...opened, db: store.db }
}

/** Counts how often other work can run until a promise resolves. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  await work
  clearImmediate(next)
  return turns
}

test.for([
  ['a', `${'a'.repeat(199)}b`],
  ['a', 'a b'.repeat(60)],
  ['a', 'ä'],
] as const)('other work runs while bodies full of %j are searched for %j', async ([character, text]) => {
  await using journal = await openJournal(character)
  const found: unknown[] = []
  async function search(): Promise<void> {
    for (let before: number | null = EVENTS + 1; before !== null;) {
      const { signal } = new AbortController()
      const page = await searchBodies(journal.db, { text, after: 0, before, limit: 100, signal })
      found.push(...page.found)
      before = page.next
    }
  }
  const turns = await countTurns(search())
  expect(found).toEqual([])
  expect(turns).toBeGreaterThanOrEqual((EVENTS * EVENT_BYTES) / MAX_SLICE_BYTES)
})
