import type { z } from 'zod'
import type { StoredExchange } from '../../store/journal/exchange-columns.ts'
import { plainMessages } from '../../contract/schemas/plain-issue.ts'
import { createStoredEventSchema } from '../../contract/schemas/event.ts'
import { isHeaderField } from '../requests/tunnel-schemas.ts'
import { explainIssue } from '../requests/validators.ts'
import { fieldSchemas } from './record-schemas.ts'

const StoredEvent = createStoredEventSchema(fieldSchemas)

/** Checks that an event agrees with the other columns of its row, and that a captured request can be sent again. */
export function checkEvent(row: Record<string, unknown>, { addIssue }: z.RefinementCtx): void {
  const { seq, at, type, accountId: owner, linkId, deliveryId, data } = row
  const exchange = row.exchange as StoredExchange | null
  const parsed = StoredEvent.safeParse({ ...(data as object), seq, at }, plainMessages)
  for (const issue of parsed.error?.issues ?? []) {
    addIssue({ code: 'custom', path: ['data', ...issue.path], message: explainIssue(issue, StoredEvent) })
  }
  if (!parsed.success) return
  const event = parsed.data
  const indexed = { type, accountId: owner, linkId, deliveryId: deliveryId ?? undefined }
  for (const [name, value] of Object.entries(indexed)) {
    if (Reflect.get(event, name) !== value) {
      addIssue({ code: 'custom', path: ['data', name], message: `differs from the column ${name}` })
    }
  }
  for (const [name, message] of [
    ['requestBody', exchange?.request],
    ['responseBody', exchange?.response],
  ] as const) {
    const objection = whyInvalidBody(row[name] as string | Uint8Array | null, message)
    if (objection !== null) addIssue({ code: 'custom', path: [name], message: objection })
  }
  if (event.type !== 'tunnel.captured' || exchange === null) return
  const { request } = exchange
  const isSendable =
    /^[A-Z-]+$/.test(request.method) &&
    /^\/tunnel\/[\u0021-\u00ff]*$/.test(event.path) &&
    request.headers.every(([name, value]) => isHeaderField(name, value))
  if (!isSendable) addIssue({ code: 'custom', path: ['exchange', 'request'], message: 'cannot be sent' })
}

function whyInvalidBody(
  body: string | Uint8Array | null,
  message: { readonly size: number } | null | undefined,
): string | null {
  if (!message) return body === null ? null : 'belongs to no message of the exchange'
  if (body === null) return 'should be text or bytes'
  return typeof body === 'string' || body.length <= message.size ? null : 'is longer than its size says'
}
