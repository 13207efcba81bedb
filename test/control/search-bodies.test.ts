import { expect } from 'vitest'
import { test } from '../support/test.ts'

interface SearchPage {
  readonly events: readonly { readonly seq: number; readonly type: string }[]
  readonly from: number
  readonly to: number
  readonly next: number | null
}

test('bodies are searched whatever their encoding, newest first', async ({ sandbox }) => {
  const { control } = sandbox
  const search = async (text: string, more = ''): Promise<SearchPage> =>
    (await control('GET', `/events/search?body=${encodeURIComponent(text)}${more}`)).answer
  const tunnel = (body: BodyInit) => fetch(`${sandbox.url}/tunnel/inbox`, { method: 'POST', body })

  await sandbox.createLink({
    recipient_note: 'Order 12: Blumen für Jörg',
    payment_endpoint: `${sandbox.url}/tunnel/inbox`,
  })
  await sandbox.control('POST', '/links/1001/pay')
  await tunnel(new Uint8Array([0x46, 0xfc, 0x72, 0x20, 0x49, 0x64, 0x61]))
  await tunnel('100% free_text')

  // The text is found in the JSON of the call, in the form of the webhook, and in the request that the tunnel captured.
  const found = await search('order 12: BLUMEN FÜR')
  expect(found.events.map(({ type }) => type)).toEqual([
    'delivery.attempted',
    'tunnel.captured',
    'api.request',
  ])
  expect(found.events.map(({ seq }) => seq)).toEqual(
    found.events.map(({ seq }) => seq).toSorted((a, b) => b - a),
  )
  expect(found).toMatchObject({ from: 1, next: null })

  expect((await search('Für Ida')).events).toHaveLength(1)
  expect((await search('100% free_')).events).toHaveLength(1)
  expect((await search('100% freeX')).events).toEqual([])
  expect((await search('Link has been created')).events.map(({ type }) => type)).toEqual(['api.request'])

  expect((await search('order 12', `&after=${found.events[1]!.seq}`)).events).toHaveLength(1)
  expect((await search('order 12', `&before=${found.events[0]!.seq}`)).events).toHaveLength(2)
  expect((await control('GET', '/events/search?body=')).status).toBe(400)
})

test('a body search is split into pages that together contain every match once', async ({ sandbox }) => {
  for (let order = 1; order <= 250; order++)
    await sandbox.call('createLink', { amount: order, recipient_note: `Order ${order} of many` })

  const seqs: number[] = []
  let pages = 0
  for (let before = ''; ;) {
    const { answer } = await sandbox.control('GET', `/events/search?body=of+many&limit=1${before}`)
    seqs.push(...answer.events.map(({ seq }) => seq))
    pages += 1
    if (answer.next === null) break
    before = `&before=${answer.next}`
  }
  expect(pages).toBeGreaterThan(1)
  expect(new Set(seqs).size).toBe(250)
  expect(seqs).toHaveLength(250)
})
