import { request, withErrorToast } from './api.ts'
import type { TestFormat } from '../../server/contract/test-format.ts'
import { saveFile } from '../browser/save-file.ts'

export const downloadPaymentTest = (payId: number, as: TestFormat): Promise<unknown> =>
  save(() => request.response('GET /tests/links/:ref', { param: { ref: `pay:${payId}` }, query: { as } }))

export const downloadEventTest = (seq: number, as: TestFormat): Promise<unknown> =>
  save(() => request.response('GET /tests/events/:seq', { param: { seq }, query: { as } }))

const save = (load: () => Promise<Response>): Promise<unknown> =>
  withErrorToast(async () => {
    const response = await load()
    const [, name = 'payment.test.ts'] =
      /filename="(.*)"/.exec(response.headers.get('content-disposition') ?? '') ?? []
    saveFile(name, await response.text(), 'text/plain')
  })
