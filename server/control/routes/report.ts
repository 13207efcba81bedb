import { Hono } from 'hono'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { NodeEnv } from '../../http/node-env.ts'
import type { ControlContext } from '../context.ts'
import { download } from '../export/download.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { query } from '../requests/input.ts'
import { gzipBase64 } from '../export/gzip-base64.ts'
import { reportLines } from '../export/report-lines.ts'
import { describeRoute } from '../requests/describe-route.ts'

const Choice = z.strictObject({
  account: z.string().optional().meta({ description: 'Only what concerns the account with this id.' }),
})

/** Stands in the built shell where the data goes. */
const PLACE = '<!-- data -->'

/** The run as one HTML file that needs nothing but a browser. */
export const reportRoute = ({ store, version, baseUrl, reportShell }: ControlContext) =>
  new Hono<NodeEnv>().get(
    '/report',
    describeRoute({
      summary: 'Download the run as one HTML file',
      description: 'The timeline and the payments, to open in any browser without a sandbox.',
      answers: { 200: 'text/html' },
      problems: [404],
    }),
    query(Choice),
    async (c) => {
      const { account } = c.req.valid('query')
      await assertAccountExists(store.db, account)
      const madeAt = store.now().toISOString()
      const lines = reportLines(store, { account, version, madeAt, baseUrl: baseUrl(c) })
      const shell = await readFile(reportShell, 'utf8')
      return download(c, {
        name: nameOf(madeAt),
        type: 'text/html; charset=utf-8',
        text: fileOf(shell, lines),
      })
    },
  )

async function* fileOf(shell: string, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const [before = '', after = ''] = shell.split(PLACE)
  yield `${before}<script type="text/plain" id="data">`
  yield* gzipBase64(lines)
  yield `</script>${after}`
}

/** `paylink-report-2026-07-01-100000.html`: they sort by time, and any system takes the name. */
const nameOf = (madeAt: string): string =>
  `paylink-report-${madeAt.slice(0, 19).replace('T', '-').replaceAll(':', '')}.html`
