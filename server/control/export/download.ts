import type { Context } from 'hono'
import { Readable } from 'node:stream'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import { JournalEnded } from './current-journal.ts'

interface File {
  readonly name: string
  readonly type: string
  readonly text: AsyncIterable<string>
}

/** Streams a file. If a reset replaces the journal meanwhile, the download is aborted. */
export function download(c: Context<NodeEnv>, { name, type, text }: File): Response {
  const abort = () => c.env.outgoing.destroy()
  const file = Readable.from(untilReset(text, abort), { objectMode: false })
  return c.body(Readable.toWeb(file) as ReadableStream, 200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  })
}

/** A file that ended early would look complete, so the connection is closed instead. */
async function* untilReset(text: AsyncIterable<string>, abort: () => void): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    if (!(error instanceof JournalEnded)) throw error
    abort()
  }
}
