import { copy } from '../browser/clipboard.ts'
import type { CodeFormat } from './request-code.ts'
import { selectedExchange } from './selected-event.ts'

const formats: readonly (readonly [CodeFormat, string])[] = [
  ['fetch', 'fetch, JavaScript'],
  ['python', 'requests, Python'],
  ['php', 'PHP'],
  ['vitest', 'Test for Vitest'],
]

/** The items of a menu that copy the request of the selected event as code. */
export const CopyAsCode = () => (
  <>
    {formats.map(([format, label]) => (
      <button key={format} type="button" onClick={() => void copyAs(format, label)}>
        {label}
      </button>
    ))}
  </>
)

async function copyAs(format: CodeFormat, label: string): Promise<void> {
  const exchange = selectedExchange.peek()
  if (!exchange) return
  const { requestCode } = await import('./request-code.ts')
  await copy(requestCode(format, exchange.request), `Code for ${label}`)
}
