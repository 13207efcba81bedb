import type { ImportView } from '../../server/contract/views.ts'
import { importLines } from '../../server/contract/format/import-lines.ts'
import { fetchOrThrow, withErrorToast } from '../data/api.ts'
import { navigate } from '../browser/route.ts'
import { showToast } from '../browser/toasts.ts'
import { controlUrl } from '../data/urls.ts'

const MAX_NAME_LENGTH = 200

/** Lets the user choose a HAR file. */
export function chooseHar(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.har,.json'
  input.addEventListener('change', () => input.files?.[0] && importHar(input.files[0]))
  input.click()
}

/** Adds the calls of a HAR file to the timeline, and shows those that differ from the sandbox. */
export const importHar = (file: File): Promise<unknown> =>
  withErrorToast(async () => {
    const url = new URL(`${controlUrl}/import.har`)
    url.searchParams.set('name', file.name.slice(-MAX_NAME_LENGTH))
    const response = await fetchOrThrow(url, { method: 'POST', body: file })
    const result = (await response.json()) as ImportView
    const lines = importLines(result)
    showToast({ tone: result.imported === 0 || lines.length > 1 ? 'warn' : 'ok', text: lines.join('\n') })
    if (result.different > 0)
      navigate({ screen: 'timeline', id: undefined, other: undefined, query: 'is:different' })
  })
