import { copy } from '../browser/clipboard.ts'
import { copyAsCurl } from './actions.ts'
import type { CodeFormat } from './request-code.ts'
import { selectedExchange } from './selected-event.ts'

type CopyFormat = 'curl' | CodeFormat

const curl = ['curl', 'cURL'] as const

const others: readonly (readonly [CodeFormat, string])[] = [
  ['fetch', 'fetch, JavaScript'],
  ['python', 'requests, Python'],
  ['php', 'PHP'],
  ['vitest', 'Test for Vitest'],
]

/** A report has cURL only. */
export const copyFormats: readonly (readonly [CopyFormat, string])[] = CAN_ACT ? [curl, ...others] : [curl]

/** Copies the request of the selected event as code. */
export async function copyAs(format: CopyFormat): Promise<void> {
  if (!CAN_ACT || format === 'curl') return copyAsCurl()
  const exchange = selectedExchange.peek()
  if (!exchange) return
  const { requestCode } = await import('./request-code.ts')
  const label = copyFormats.find(([known]) => known === format)![1]
  await copy(requestCode(format, exchange.request), `Code for ${label}`)
}
