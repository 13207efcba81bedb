import { Hono } from 'hono'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import type { ControlContext } from '../context.ts'
import { download } from '../export/download.ts'
import { accountParam } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { query } from '../requests/validators.ts'
import { reportLines } from '../export/report-lines.ts'
import { MAX_ABOUT_LENGTH } from '../../contract/report.ts'
import { describeRoute } from '../requests/describe-route.ts'
import { pipeline } from 'node:stream'
import { createGzip } from 'node:zlib'

const ReportQuery = z.strictObject({
  account: accountParam,
  about: z
    .string()
    .max(MAX_ABOUT_LENGTH)
    .optional()
    .meta({ description: 'A line for the beginning of the report, such as the command of the run.' }),
})

/** The comment in the built report that the data replaces. */
const PLACEHOLDER = '<!-- data -->'

export const reportRoute = ({ store, version, baseUrl, reportShell }: ControlContext) =>
  new Hono<NodeEnv>().get(
    '/report',
    describeRoute({
      summary: 'Download a report of the run as one HTML file',
      description: 'Timeline and payments. Any browser opens the file, without a sandbox.',
      responses: { 200: 'text/html' },
      errors: [404],
    }),
    query(ReportQuery),
    async (c) => {
      const { account, about } = c.req.valid('query')
      await assertAccountExists(store.db, account)
      const madeAt = store.now().toISOString()
      const lines = reportLines(store, { account, about, version, madeAt, baseUrl: baseUrl(c) })
      const shell = await readFile(reportShell, 'utf8')
      return download(c, {
        name: fileName(madeAt),
        type: 'text/html; charset=utf-8',
        text: fillShell(shell, lines),
      })
    },
  )

async function* fillShell(shell: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const [before = '', after = ''] = shell.split(PLACEHOLDER)
  yield `${before}<script type="text/plain" id="data">`
  yield* gzipBase64(lines)
  yield `</script>${after}`
}

/** `paylink-report-2026-07-01-100000.html`. Such names sort by time, and are valid on every operating system. */
const fileName = (madeAt: string): string =>
  `paylink-report-${madeAt.slice(0, 19).replace('T', '-').replaceAll(':', '')}.html`

/** Compresses text with gzip and encodes it as base64, which needs no escaping in HTML. */
async function* gzipBase64(text: AsyncIterable<string>): AsyncGenerator<string> {
  const gzip = createGzip()
  // Errors reach the loop that reads `gzip`, so the callback ignores them.
  pipeline(text, gzip, () => {})

  // Base64 encodes groups of three bytes. Remaining bytes are encoded together with the next chunk.
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of gzip) {
    const bytes = Buffer.concat([rest, chunk])
    const encodableLength = bytes.length - (bytes.length % 3)
    yield bytes.toString('base64', 0, encodableLength)
    rest = bytes.subarray(encodableLength)
  }
  yield Buffer.from(rest).toString('base64')
}
