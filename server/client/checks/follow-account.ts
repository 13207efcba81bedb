import type { EventView } from '../../contract/views.ts'
import type { EventOf } from '../../domain/events/event.ts'
import type { Request } from '../request.ts'

type AccountEvent = EventOf<'api.request' | 'api.limited' | 'link.created', EventView>

const PAGE = 1_000

/**
 * Returns a function that lists the account's calls since an event, and the links that they created. Reads each event only once.
 */
export function followAccount(request: Request, account: string, start: number) {
  const events: AccountEvent[] = []
  let newest = start
  let current: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function readNewer(): Promise<void> {
    for (;;) {
      const query = { account, after: newest, type: 'api.request,api.limited,link.created', limit: PAGE }
      const page = (await request('GET /events', { query })).events as AccountEvent[]
      events.push(...page)
      newest = page.at(-1)?.seq ?? newest
      if (page.length < PAGE) return
    }
  }

  /**
   * If the events are requested again during a read, all such requests share the next read, because the current one may miss the
   * newest event.
   */
  function read(): Promise<void> {
    if (current === undefined) return (current = readNewer().finally(() => (current = undefined)))
    const retry = (): Promise<void> => {
      next = undefined
      return read()
    }
    return (next ??= current.then(retry, retry))
  }

  return async (after: number): Promise<readonly AccountEvent[]> => {
    await read()
    return events.filter(({ seq }) => seq > after)
  }
}
