import { expect } from 'vitest'
import { test } from '../support/test.ts'

test('the summary describes the run in Markdown, without texts that the app sent', async ({ sandbox }) => {
  const hostile = '<img src=x> [click](https://evil.example)'
  await sandbox.createLink({ recipient_note: hostile, payment_endpoint: 'http://127.0.0.1:9/<hooks>' })
  await sandbox.control('POST', '/links/1001/pay')
  for (const field of [hostile, 'colour']) await sandbox.call('createLink', { amount: 5, [field]: hostile })
  await sandbox.call('createLink', { amount: hostile })

  const response = await fetch(`${sandbox.url}/_sandbox/v1/summary`)

  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  const text = await response.text()
  expect(text).toMatch(
    /^## Payments in the sandbox\n\nYour app made 4 API calls, and used 2 of the 5 operations: /,
  )
  expect(text).toContain('\n### Outcomes\n\n- a payment by card: 1\n- a failed webhook: 1\n\n')
  expect(text).toMatch(/^- warning `unknownField`: The body has an unknown field\. .* \(2 times\)$/m)
  expect(text).toMatch(/^The run relies on \d+ points that the API reference leaves open\. /m)
  expect(text).toMatch(/^- `payId`: A payment has a pay_id/m)
  expect(text).not.toMatch(/<|evil|colour|(?<!web)hooks/)
})

test('the summary of a run without calls says which variables the app needs', async ({ sandbox }) => {
  const response = await fetch(`${sandbox.url}/_sandbox/v1/summary`)

  expect(await response.text()).toBe(
    [
      '## Payments in the sandbox',
      'Your app made no API call. The variable PAYLINK_URL has the address of the sandbox.',
      '### Mistakes that the sandbox found',
      'None.',
      '',
    ].join('\n\n'),
  )
})
