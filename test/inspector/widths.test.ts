import { expect } from 'vitest'
import { sized } from '../support/size.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const LONG_HOST = `https://hooks.${'long-'.repeat(9)}name.example`

/** Creates what needs room: a long note, a long host, an amount with many digits, and texts from right to left. */
async function createLongTexts(sandbox: OpenSandbox): Promise<void> {
  await sandbox.createLink({
    amount: 123_456.78,
    recipient_note: 'A note without an end. '.repeat(40),
    payment_endpoint: `${LONG_HOST}/webhooks,${sandbox.url}/tunnel/inbox`,
  })
  await sandbox.control('POST', '/links/1001/pay')
  await sandbox.createLink({
    recipient_note: 'طلب رقم ٧ – باقة ورد',
    payment_endpoint: 'http://127.0.0.1:9/',
  })
  await sandbox.control('POST', '/links/1002/pay')
  await sandbox.control('POST', '/faults', {
    on: 'api',
    script: 'latency:1s',
    operation: 'getTaxInvoiceList',
  })
  await sandbox.control('POST', '/snapshots', { name: 'a-snapshot-with-a-rather-long-name' })
}

const hashes = [
  '#/overview',
  '#/timeline',
  '#/payments',
  '#/payments/1001',
  '#/review',
  '#/faults',
  '#/maps',
  '#/account',
  '#/sandbox',
]

test.for(sized({ full: [390, 720, 860, 1024, 1440, 1920], small: [390, 720] }))(
  'no screen scrolls sideways, and no text is beyond its edge, at %i px',
  async (width, { sandbox, page, inspector }) => {
    await createLongTexts(sandbox)
    await page.setViewportSize({ width, height: 844 })
    const held = (await sandbox.control<{ events: { seq: number }[] }>('GET', '/events?type=delivery.held'))
      .answer
    for (const hash of [...hashes, `#/timeline/${held.events[0]!.seq}`]) {
      await page.goto('about:blank')
      await inspector.open(sandbox.url, hash)
      await page.locator('main :is(h2, [role=row]):visible').first().waitFor()
      const tooWide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('main, .details')]
          .filter((element) => element.scrollWidth > element.clientWidth)
          .map(({ localName, className, scrollWidth }) => `${localName}.${className} ${scrollWidth}`),
      )
      expect([hash, ...tooWide]).toEqual([hash])
    }
    expect(page.problems).toEqual([])
  },
)
