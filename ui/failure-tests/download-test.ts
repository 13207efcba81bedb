import { fetchOrThrow, withErrorToast } from '../data/api.ts'
import { saveFile } from '../browser/save-file.ts'
import { controlUrl } from '../data/urls.ts'

export type TestFormat = 'vitest' | 'shell'

/** Downloads a payment or an event as a test: `links/1001`, `events/7`. */
export const downloadTest = (path: string, format: TestFormat): Promise<unknown> =>
  withErrorToast(async () => {
    const response = await fetchOrThrow(`${controlUrl}/tests/${path}?as=${format}`)
    const [, name = 'payment.test.ts'] =
      /filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    saveFile(name, await response.text(), 'text/plain')
  })
