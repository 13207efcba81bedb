import { expect, test } from 'vitest'
import { noSubject } from '../../server/domain/links/subject.ts'
import type { RecordedEvent } from '../../server/domain/events/event.ts'
import { waitForEvents } from '../../server/control/waits/wait-for-events.ts'
import { openStore } from '../support/open-store.ts'

/** More events than one page of a wait reads. */
const EVENTS = 12_000
/** Too short to read even the first page. */
const TIMEOUT_MS = 1

test.for([
  [TIMEOUT_MS, true],
  [0, false],
])(
  'a wait of %i ms in a journal that takes longer to read reads only a part of the journal: %s',
  async ([timeoutMs, isCut]) => {
    await using opened = await openStore()
    const { store } = opened
    await store.transact(async (work) => {
      for (let count = 0; count < EVENTS; count++)
        await work.record({ type: 'sandbox.started', ...noSubject, version: String(count) })
    })
    const request = {
      match: { type: 'sandbox.started', version: 'none' },
      count: 1,
      after: 0,
      timeoutMs: Number(timeoutMs),
      present: (event: RecordedEvent) => event,
    }
    const result = await waitForEvents(store, request, new AbortController().signal)
    expect(result).toMatchObject({ matched: 0, isCut })
    if ('found' in result) return
    if (isCut) expect(result.looked).toBeLessThan(EVENTS)
    else expect(result.looked).toBe(EVENTS)
  },
)
