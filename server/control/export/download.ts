import type { Context } from 'hono'
import { Readable } from 'node:stream'
import type { NodeEnv } from '../../http/node-env.ts'
import { JournalEnded } from './journal-generation.ts'

interface File {
  readonly name: string
  readonly type: string
  readonly text: AsyncIterable<string>
}

/** Answers with a file, as fast as it is taken. Where the journal it is of ends, it breaks off. */
export function download(c: Context<NodeEnv>, { name, type, text }: File): Response {
  const broken = () => c.env.outgoing.destroy()
  const file = Readable.from(untilReset(text, broken), { objectMode: false })
  return c.body(Readable.toWeb(file) as ReadableStream, 200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
  })
}

/** A file that ended early would look whole: whoever downloads is to see it break off. */
async function* untilReset(text: AsyncIterable<string>, breakOff: () => void): AsyncGenerator<string> {
  try {
    yield* text
  } catch (error) {
    if (!(error instanceof JournalEnded)) throw error
    breakOff()
  }
}
