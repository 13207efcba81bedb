import { importLines } from '../../server/contract/format/import-lines.ts'
import { request, withErrorToast } from '../data/api.ts'
import { navigate } from '../browser/route.ts'
import { showToast } from '../browser/toasts.ts'

const MAX_NAME_LENGTH = 200

/** Kept, because a browser may collect an input that nothing refers to, and then no file arrives. */
let input: HTMLInputElement

/** Lets the user choose a HAR file. */
export function chooseHar(): void {
  input = document.createElement('input')
  input.type = 'file'
  input.accept = '.har,.json'
  input.addEventListener('change', () => input.files?.[0] && importHar(input.files[0]))
  input.click()
}

/** Adds the calls of a HAR file to the timeline, and shows those that differ from the sandbox. */
export const importHar = (file: File): Promise<unknown> =>
  withErrorToast(async () => {
    const query = { name: file.name.slice(-MAX_NAME_LENGTH) }
    const result = await request('POST /import.har', { query, file })
    const lines = importLines(result)
    showToast({ tone: result.imported === 0 || lines.length > 1 ? 'warn' : 'ok', text: lines.join('\n') })
    if (result.different > 0)
      navigate({ screen: 'timeline', id: undefined, other: undefined, query: 'is:different' })
  })
