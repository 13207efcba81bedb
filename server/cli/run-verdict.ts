import { connectSandbox } from '../client/connect-sandbox.ts'
import { verdictOfEvents } from '../contract/format/verdict.ts'
import type { EventView } from '../contract/views.ts'
import type { Address } from './connect.ts'

const TYPES = [
  'link.paid',
  'link.cancelled',
  'delivery.queued',
  'delivery.held',
  'delivery.attempted',
  'tunnel.answered',
] as const

/** More events would delay the end of the command. */
const MAX_EVENTS = 20_000

const PAGE = 1_000

/** Whether all payments of a run have reached the app, and if not, why and what to do. Empty if nothing was paid or cancelled. */
export async function verdictOfRun({ url, ...options }: Address): Promise<string[]> {
  await using sandbox = await connectSandbox(url, options)
  const events: EventView[] = []
  let page: readonly EventView[]
  do {
    page = await sandbox.events({ type: TYPES, after: events.at(-1)?.seq ?? 0, limit: PAGE })
    events.push(...page)
  } while (page.length === PAGE && events.length < MAX_EVENTS)
  if (!events.some(({ type }) => type === 'link.paid' || type === 'link.cancelled')) return []
  const { headline, reason, remedy } = verdictOfEvents(events)
  return [[headline, reason, remedy].filter(Boolean).join(' ')]
}
