import { Hono } from 'hono'
import { payLinkUrl } from '../../domain/links/link.ts'
import type { BaseUrl } from '../../platform/http/base-url.ts'
import type { NodeEnv } from '../../platform/http/node-env.ts'
import type { Store } from '../../store/store.ts'
import { findLinkOfPage } from './page-request.ts'

const PIXELS = 300

/** The QR code of a pay link, at `/qr/<link_id>.png` and `.svg`. */
export const qr = (store: Store, baseUrl: BaseUrl) =>
  new Hono<NodeEnv>().get('/:file', async (c) => {
    const [, linkId, format] = /^(.+)\.(png|svg)$/.exec(c.req.param('file')) ?? []
    const link = await findLinkOfPage(store, linkId)
    if (!link) return c.text('There is no payment link with this QR code.\n', 404)

    // Loaded on demand, because few users need QR codes.
    const { toBuffer, toString } = await import('qrcode')
    const address = payLinkUrl(link.payId, baseUrl(c))
    if (format === 'png') {
      const png = await toBuffer(address, { width: PIXELS })
      return c.body(new Uint8Array(png), 200, { 'content-type': 'image/png' })
    }
    return c.body(await toString(address, { type: 'svg', width: PIXELS }), 200, {
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'",
    })
  })
