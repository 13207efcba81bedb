import type { Context } from 'hono'
import { Readable } from 'node:stream'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { JournalEndedError } from './current-journal.ts'

interface File {
  readonly name: string
  readonly type: string
  readonly text: AsyncIterable<string>
}

/** Streams a file. Aborts the download if a reset replaces the journal in the meantime. */
export function download(c: Context<NodeEnv>, { name, type, text }: File): Response {
  const abort = () => c.env.outgoing.destroy()
  const file = Readable.from(untilReset(text, abort), { objectMode: false })
  return c.body(Readable.toWeb(file) as ReadableStream, 200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  })
}

/** Breaks the connection instead of ending the file early, because the file would look complete. */
async function* untilReset(text: AsyncIterable<string>, abort: () => void): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    if (!(error instanceof JournalEndedError)) throw error
    abort()
  }
}
