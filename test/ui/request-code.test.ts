import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { textBody } from '../../server/domain/http/exchange.ts'
import { requestCode } from '../../ui/details/request-code.ts'
import { test } from '../support/test.ts'

const body = JSON.stringify({ note: `it's $(id) \\ "q" €` })
const request = (url: string) => ({
  method: 'POST',
  url,
  headers: [
    ['Host', 'other.example'],
    ['content-type', 'application/json'],
    ['token', 'dev…01'],
  ] as [string, string][],
  body: textBody(body),
})

test('the code for fetch sends the same bytes', async ({ receiver }) => {
  const code = requestCode('fetch', {
    ...request(receiver.url),
    headers: [['content-type', 'application/json']],
  })
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code])
  expect(receiver.received).toMatchObject([{ body }])
})

test('the code names the request in each language, without headers of the connection', () => {
  const url = 'http://localhost:3000/hooks'
  expect(requestCode('python', request(url))).toContain(`requests.request(\n    "POST",\n    "${url}"`)
  expect(requestCode('php', request(url))).toContain(`CURLOPT_POSTFIELDS => '{"note":"it\\'s $(id)`)
  expect(requestCode('vitest', request(url))).toContain('test("POST /hooks answers 2xx"')
  for (const format of ['fetch', 'python', 'php', 'vitest'] as const) {
    expect(requestCode(format, request(url))).not.toContain('other.example')
  }
})
