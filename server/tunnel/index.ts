import { Hono } from 'hono'
import { DELIVERY_HEADER, type Delivery } from '../domain/delivery.ts'
import { aboutLink, aboutNothing } from '../domain/events.ts'
import { bodyOf, textBody, type Exchange } from '../domain/exchange.ts'
import type { NodeEnv } from '../http/env.ts'
import type { OwnPath } from '../http/own-path.ts'
import { rawHeaders } from '../http/raw-headers.ts'
import { readBytes } from '../http/read-bytes.ts'
import { requestTarget } from '../http/request-target.ts'
import * as deliveries from '../store/deliveries.ts'
import type { Store, Work } from '../store/store.ts'

const ANSWER = 'captured\n'
const TOO_LARGE = 'The sandbox captures at most 1 MiB\n'
const NAMELESS = 'A tunnel has a name of small letters, digits and dashes: /tunnel/<name>\n'
const CONTENT_TYPE = 'text/plain; charset=utf-8'

const NAME = /^\/tunnel\/([a-z0-9][a-z0-9-]{0,62})(?:\/|$)/

/** Named addresses that capture whatever reaches them and answer 200, so that nobody needs a receiver to see a webhook. */
export function tunnel(store: Store, ownPath: OwnPath) {
  const app = new Hono<NodeEnv>()

  app.all('*', async (c) => {
    const { target, path } = requestTarget(c)
    const name = NAME.exec(path)?.[1]
    if (name === undefined) return c.text(NAMELESS, 404)

    const { bytes, tooLarge } = await readBytes(c)
    const [status, text] = tooLarge ? ([413, TOO_LARGE] as const) : ([200, ANSWER] as const)
    const exchange: Exchange = {
      request: { method: c.req.method, url: c.req.url, headers: rawHeaders(c), body: bodyOf(bytes) },
      response: { status, headers: [['content-type', CONTENT_TYPE]], body: textBody(text) },
    }
    const event = {
      type: 'tunnel.captured',
      tunnel: name,
      method: c.req.method,
      path: target,
      status,
      size: bytes.length,
    } as const
    await store.transact(async (work) => {
      const underway = await underwayWith(work, c.req.header(DELIVERY_HEADER))
      const carried = underway && ownPath(underway.target) === target ? underway : undefined
      const about = carried
        ? aboutLink({ accountId: carried.accountId, id: carried.linkId, payId: carried.payId })
        : aboutNothing
      await work.record({ ...event, ...about, carried: carried?.id ?? null }, exchange)
    })
    return c.body(text, status, { 'content-type': CONTENT_TYPE })
  })
  return app
}

/** The delivery of that id, if it is underway. Anybody can send the header, so it proves nothing alone. */
async function underwayWith({ db }: Work, id: string | undefined): Promise<Delivery | undefined> {
  const delivery = /^\d{1,15}$/.test(id ?? '') ? await deliveries.find(db, Number(id)) : undefined
  return delivery?.state === 'underway' ? delivery : undefined
}
