import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createEventIndex } from '../../ui/data/event-index.ts'
import { toEntry } from '../../ui/data/log.ts'
import type { BodySearch } from '../../ui/data/body-searches.ts'
import { bodyTexts, olderRows } from '../../ui/search/body-matches.ts'

const started = (seq: number): EventView =>
  ({ seq, type: 'sandbox.started', at: `2026-01-01T00:00:0${seq}.000Z`, version: '1.0.0' }) as EventView
const entryOf = (event: EventView) => toEntry(event, createEventIndex())
const searchOf = (...seqs: number[]): BodySearch => ({
  found: new Map(seqs.map((seq) => [seq, started(seq)])),
  from: 1,
  to: 9,
  state: 'done',
})

test('the texts to search for are found in a filter, including negated ones', () => {
  expect(bodyTexts('kind:api body:"Order 12",x -body:y body:x free')).toEqual(['order 12', 'x', 'y'])
})

test('a search lists the matches that the server found in older events first, each once', () => {
  const searches = new Map([
    ['a', searchOf(7, 4, 2)],
    ['b', searchOf(2, 1)],
  ])
  const rows = olderRows(searches, [entryOf(started(5)), entryOf(started(6))], ({ event }) => event.seq !== 1)
  expect(rows.map(({ event }) => event.seq)).toEqual([2, 4])
})
