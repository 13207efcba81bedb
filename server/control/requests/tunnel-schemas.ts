import { MAX_TUNNEL_BODY_BYTES } from '../../domain/network/tunnel.ts'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'
import { DEFAULT_TUNNEL_ANSWER, LISTENER_NAME_PATTERN } from '../../domain/network/tunnel.ts'
import { httpUrl, unicodeText } from '../../contract/schemas/request-fields.ts'

/** Header fields that Node sets itself. */
const CONNECTION_HEADERS = /^(content-length|transfer-encoding|connection)$/i

const header = z
  .tuple([z.string(), z.string()], { error: 'should be a name and a value, both strings' })
  .refine(([name, value]) => isHeaderField(name, value) && !CONNECTION_HEADERS.test(name), {
    error: 'is not a header field',
  })
  .readonly()

/** What a tunnel responds with if no listener is connected. */
export const TunnelAnswerBody = z.strictObject({
  status: z
    .int()
    .min(200)
    .max(599)
    .default(DEFAULT_TUNNEL_ANSWER.status)
    .meta({ description: 'The HTTP status.' }),
  headers: z
    .array(header)
    .max(100)
    .default([...DEFAULT_TUNNEL_ANSWER.headers] as [string, string][])
    .meta({ description: 'Pairs of name and value, such as the content type.' }),
  body: unicodeText
    .max(MAX_TUNNEL_BODY_BYTES, { error: `should have at most ${MAX_TUNNEL_BODY_BYTES} characters` })
    .default(DEFAULT_TUNNEL_ANSWER.body)
    .meta({ description: 'The text of the body.' }),
  delayMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(0)
    .meta({ description: 'How long to wait before answering, in milliseconds.' }),
})

export const ListenQuery = z.strictObject({
  listener: z
    .string()
    .regex(LISTENER_NAME_PATTERN, {
      error: 'should be up to 100 letters, digits, dots, dashes and underscores',
    })
    .meta({ description: 'The name of the listener. It identifies the listener when it reconnects.' }),
  to: httpUrl.meta({ description: 'The local address that the listener posts to. It is only displayed.' }),
  since: z.coerce
    .number({ error: 'should be a whole number' })
    .int()
    .min(0)
    .optional()
    .meta({ description: 'Also send the requests that were captured from this `seq` on.' }),
  instance: z
    .string()
    .max(100)
    .default('')
    .meta({ description: 'Identifies the process, so that it can replace its own old connection.' }),
})

/** Whether Node accepts a header field. It throws if it cannot send one. */
export function isHeaderField(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}
