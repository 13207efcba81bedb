import { expect, test } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { createEventIndex } from '../../ui/data/event-index.ts'
import { reviewItems } from '../../ui/data/review-item.ts'
import { about, created, paid } from './event.ts'

const announced: EventView = { ...about, type: 'bank_transfer.initiated', entryPoint: 'checkout' }
const asked: EventView = { ...about, type: 'refund.requested', amount: 40, full: false }
const approved: EventView = { ...about, type: 'refund.approved', amount: 40, full: false }
const opened: EventView = { ...about, type: 'dispute.opened' }
const closed: EventView = { ...about, type: 'dispute.closed', outcome: 'won' }

function after(...events: EventView[]) {
  const eventIndex = createEventIndex()
  for (const [index, event] of [created, ...events].entries()) {
    eventIndex.add({ ...event, seq: index + 1, at: `2026-11-21T03:${10 + index}:00.000Z` })
  }
  return eventIndex
}
const keys = (...events: EventView[]) =>
  reviewItems(after(...events).awaitingReview.values()).map(({ key }) => key)

test.each<[title: string, events: EventView[], waiting: string[]]>([
  ['a new link', [], []],
  ['an initiated transfer', [announced], ['transfer-1001']],
  ['a transfer that was approved', [announced, { ...paid, method: 'bank-transfer' }], []],
  ['a requested refund', [paid, asked], ['refund-1001']],
  ['a refund that was decided', [paid, asked, approved], []],
  ['a dispute after a refund, oldest first', [paid, asked, opened], ['refund-1001', 'dispute-1001']],
  ['a dispute before a refund, oldest first', [paid, opened, asked], ['dispute-1001', 'refund-1001']],
  ['a closed dispute', [paid, opened, closed], []],
])('the review lists payments that await a decision: %s', (_title, events, waiting) => {
  expect(keys(...events)).toEqual(waiting)
})

test('decisions of the operator are listed, and actions of the customer are not', () => {
  const { decisions } = after(paid, asked, approved, opened, closed)
  expect(decisions.map(({ type }) => type)).toEqual(['refund.approved', 'dispute.closed'])
})
