import { expect } from 'vitest'
import { test } from '../../support/test.ts'

const LINE = '\r\nX-Evil: 1\r\nSet-Cookie: paylink_admin=evil\r\n\r\n'

const injectedNames = (names: Iterable<string>): string[] =>
  [...names].filter((name) => /^(x-evil|set-cookie)$/i.test(name))

test('line breaks in a note, a callback URL or a target never become a header', async ({
  receiver,
  sandbox,
}) => {
  const { pay_link } = await sandbox.createLink({
    recipient_note: LINE,
    callback_url: `http://localhost:1/back?x=${encodeURIComponent(LINE)}`,
    payment_endpoint: `${receiver.url}?x=${encodeURIComponent(LINE)}`,
  })

  const page = await fetch(pay_link)
  const paid = await sandbox.submit(pay_link, { method: 'card', outcome: 'pay' })
  await sandbox.settled()

  expect([page.status, paid.status]).toEqual([200, 302])
  expect(new URL(paid.headers.get('location')!).origin).toBe('http://localhost:1')
  expect(injectedNames([...page.headers.keys(), ...paid.headers.keys()])).toEqual([])
  expect(receiver.received.map(({ rawHeaders }) => injectedNames(rawHeaders))).toEqual([[]])
  expect(sandbox.problems).toEqual([])
})

test('line breaks in a query never become a header of a redirect', async ({ sandbox }) => {
  const { pay_link } = await sandbox.createLink()
  for (const url of [
    `${pay_link}&outcome=card&x=${encodeURIComponent(LINE)}`,
    `${sandbox.url}/payment?link_id=${encodeURIComponent(LINE)}`,
    `${sandbox.url}/?admin_token=${encodeURIComponent(LINE)}`,
  ]) {
    expect(injectedNames((await fetch(url, { redirect: 'manual' })).headers.keys())).toEqual([])
  }
  expect(sandbox.problems).toEqual([])
})

test.for([
  ['x-mine', `1${LINE}`],
  [`x-mine: 1${LINE}`, '1'],
  ['x-mine', 'a\0b'],
] as const)('a tunnel answer refuses the header %j: %j', async ([name, value], { sandbox }) => {
  const { status, answer } = await sandbox.rawControl('PUT', '/tunnels/x/answer', {
    headers: [[name, value]],
  })

  expect([status, answer.detail]).toEqual([400, expect.stringContaining('is not a header field')])
  expect((await fetch(`${sandbox.url}/tunnel/x`)).status).toBe(200)
})
