import { copy } from '../clipboard.ts'
import { copyAsCurl } from './actions.ts'
import { selectedExchange } from './selected-event.ts'

/** A report has cURL only. */
const formats = [
  ['curl', 'cURL'],
  ['fetch', 'fetch, JavaScript'],
  ['python', 'requests, Python'],
  ['php', 'PHP'],
  ['vitest', 'Test for Vitest'],
] as const

export const copyFormats = CAN_ACT ? formats : formats.slice(0, 1)

export type CopyFormat = (typeof formats)[number][0]

/** Copies the request of the selected event as code. */
export async function copyAs(format: CopyFormat): Promise<void> {
  if (!CAN_ACT || format === 'curl') return copyAsCurl()
  const exchange = selectedExchange.peek()
  if (!exchange) return
  const { requestCode } = await import('./request-code.ts')
  const label = copyFormats.find(([known]) => known === format)![1]
  await copy(requestCode(format, exchange.request), `Code for ${label}`)
}
