import type { Body, Headers } from '../../server/domain/http/exchange.ts'
import { decodeForm } from '../../server/domain/http/form.ts'
import { layOutJson, type JsonToken } from './json-layout.ts'

/** A body made readable, or `undefined` where its bytes are as readable as it gets. */
export function prettyBody(headers: Headers, { encoding, content }: Body): JsonToken[] | undefined {
  if (encoding !== 'utf8' || content === '') return undefined
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return layOutJson(JSON.stringify(decodeForm(content)))
  }
  return layOutJson(content)
}

/** Whether the readable form leaves out how the bytes were written. */
export const isForm = (headers: Headers): boolean =>
  headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && /^application\/x-www-form-urlencoded\b/i.test(value),
  )
