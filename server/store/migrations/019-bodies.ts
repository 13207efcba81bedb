import { sql, type Kysely } from 'kysely'

const ROWS_PER_STEP = 500

/**
 * Moves the bodies of requests and responses out of the JSON in `exchange` to columns of their own: as text, or as bytes if
 * they are not UTF-8. An uploaded snapshot may hold anything in `exchange`. Such a row stays unchanged, and its check
 * rejects it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "event" add column "requestBody" blob`.execute(db)
  await sql`alter table "event" add column "responseBody" blob`.execute(db)
  for (let after = 0; ;) {
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
        response: response && withoutBody(response),
      }),
      requestBody: bodyOf(request),
      responseBody: response && bodyOf(response),
    }
  } catch {
    return undefined
  }
}

function withoutBody({ body, ...rest }: Message) {
  return { ...rest, size: body.size }
}

const bodyOf = ({ body: { encoding, content } }: Message): string | Uint8Array =>
  encoding === 'base64' ? Buffer.from(content, 'base64') : content
