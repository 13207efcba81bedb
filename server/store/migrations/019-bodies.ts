import { setImmediate } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'

/** A small number, because each row may hold two bodies of 1 MiB. */
const ROWS_PER_STEP = 20

/**
 * Moves the bodies of requests and responses out of the JSON in `exchange` to columns of their own: as text, or as bytes if
 * they are not UTF-8. An uploaded snapshot may hold anything in `exchange`. Such a row stays unchanged, and its check
 * rejects it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "event" add column "requestBody" blob`.execute(db)
  await sql`alter table "event" add column "responseBody" blob`.execute(db)
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { rows } = await sql<{ seq: number; exchange: string }>`select "seq", "exchange" from "event"
      where "seq" > ${after} and "exchange" is not null order by "seq" limit ${ROWS_PER_STEP}`.execute(db)
    for (const { seq, exchange } of rows) {
      const split = splitBodies(exchange)
      if (split === undefined) continue
      await sql`update "event" set "exchange" = ${split.exchange}, "requestBody" = ${split.requestBody},
        "responseBody" = ${split.responseBody} where "seq" = ${seq}`.execute(db)
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.seq
    // An uploaded snapshot is migrated while the sandbox answers calls.
    await setImmediate()
  }
}

interface Message {
  readonly body: { readonly encoding: string; readonly content: string; readonly size: number }
}

function splitBodies(exchange: string) {
  try {
    const { request, response } = JSON.parse(exchange) as { request: Message; response: Message | null }
    return {
      exchange: JSON.stringify({
        request: withoutBody(request),
        response: response === null ? null : withoutBody(response),
      }),
      requestBody: bodyOf(request),
      responseBody: response === null ? null : bodyOf(response),
    }
  } catch {
    return undefined
  }
}

function withoutBody({ body, ...rest }: Message) {
  return { ...rest, size: body.size }
}

function bodyOf({ body: { encoding, content } }: Message): string | Uint8Array {
  if (typeof content !== 'string') throw new TypeError('The content is not text.')
  if (encoding === 'utf8') return content.toWellFormed()
  if (encoding !== 'base64') throw new TypeError('The encoding is unknown.')
  // Throws if it is not base64, unlike Buffer.
  return Buffer.from(atob(content), 'latin1')
}
