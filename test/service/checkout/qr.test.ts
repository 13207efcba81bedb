import decode from 'jsqr'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import { openPage } from '../../support/browser.ts'
import { test } from '../../support/test.ts'

test('the QR code is available as SVG, which decodes to the pay link in a browser', async ({ sandbox }) => {
  const link = await sandbox.createLink({ is_qr_link: true })
  const page = await openPage({ viewport: { width: 300, height: 300 } })

  const response = await page.goto(link.qr_img.replace(/png$/, 'svg'))
  const png = PNG.sync.read(await page.screenshot())

  expect(response?.headers()['content-type']).toBe('image/svg+xml')
  expect(decode(new Uint8ClampedArray(png.data), png.width, png.height)?.data).toBe(link.pay_link)
})

test.for([
  'MTAwMg%3D%3D.svg',
  'MTAwMQ%3D%3D.gif',
  'MTAwMg%3D%3D.png',
  'MTAwMQ%3D%3D',
  'x.png',
  '..%2F..%2Fpackage.json',
])('there is no QR code at %s', async (file, { sandbox }) => {
  await sandbox.createLink({ is_qr_link: true })
  expect((await fetch(`${sandbox.url}/qr/${file}`)).status).toBe(404)
})
