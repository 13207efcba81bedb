import { serve } from '@hono/node-server'
import SQLite from 'better-sqlite3'
import { Hono } from 'hono'
import { z } from 'zod'
import { bareEnvelope } from './bare-envelope.js'

// The bare server uses the libraries of the sandbox, stores one row for each request and does nothing else. Like the sandbox, it
// can list the requests of an account and those of a time, and leaves `Request` and `Response` of Node as they are.
const [file = 'bare.db'] = process.argv.slice(2)
const db = new SQLite(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = NORMAL')
db.exec(
  'create table if not exists request (id integer primary key, operation text, token text, body text, at text)',
)
db.exec('create index if not exists requestOfAccount on request (token)')
db.exec('create index if not exists requestAt on request (at)')
const insert = db.prepare('insert into request (operation, token, body, at) values (?, ?, ?, ?)')

const link = z.object({
  amount: z.number().positive(),
  recipient_note: z.string().optional(),
  callback_url: z.string().optional(),
  payment_endpoint: z.string().optional(),
  cancellable: z.boolean().optional(),
})
/** @type {Readonly<Record<string, z.ZodType<object>>>} */
const shapes = {
  createLink: link,
  createSplitLink: link.extend({
    recipients: z.array(z.object({ token: z.string(), share: z.number().positive() })).min(1),
    split_type: z.enum(['normal', 'absolute']).optional(),
  }),
  refundPayment: z.object({
    pay_id: z.int(),
    refund_amount: z.number(),
    isFullRefund: z.boolean().optional(),
  }),
  getTaxInvoiceList: z.object({ page: z.int().optional(), limit: z.int().optional() }),
  sendWebhookViaPayId: z.object({ pay_ids: z.string(), status: z.string() }),
}

const app = new Hono()
app.post('/api/v2/:operation', async (c) => {
  const operation = c.req.param('operation')
  const body = shapes[operation]?.safeParse(await c.req.json())
  if (!body?.success) return c.json({ ResponseCode: 0, Result: 'False', ResponseMsg: 'Not valid' })
  const { lastInsertRowid } = insert.run(
    operation,
    c.req.header('token') ?? '',
    JSON.stringify(body.data),
    new Date().toISOString(),
  )
  return c.json(bareEnvelope(lastInsertRowid, body.data))
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false }, ({ port }) => {
  process.stdout.write(`listening on http://127.0.0.1:${port}\n`)
})
