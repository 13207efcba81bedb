import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CONTROL } from '../../server/verify/calibration/probes.ts'
import { runCli } from '../support/cli.ts'
import { startRawReceiver } from '../support/raw-receiver.ts'
import { courier, shop } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'
import { test } from '../support/test.ts'

const SECRETS = [shop.apiKey, courier.recipientToken]
/**
 * With a recipient, a run makes 53 calls in addition to its control calls. At full size, each of these calls gets a text in each of the
 * eleven spellings about four times.
 */
const RUNS = sized({ full: 10, small: 3 })
const BATCHES = Array.from({ length: sized({ full: 5, small: 1 }) }, (_none, batch) => batch)

const CONTROL_BODY = Buffer.from(
  JSON.stringify(CONTROL.requests({ recipient: undefined, answers: new Map() })[0]!.body),
)
const CREATED = JSON.stringify({ ResponseCode: 1, ResponseMsg: 'Made', data: { id: 1 } })

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** Only answers with an envelope are compared, and only compared answers are quoted in parts. */
const envelope = (fields: object): string => JSON.stringify({ ResponseCode: 1, ResponseMsg: '', ...fields })

/** How a service can write a text into an answer. */
const WRITINGS: readonly ((text: string, around: string) => string | Uint8Array)[] = [
  (text, around) => around + text + around,
  (text, around) => JSON.stringify({ ResponseCode: 0, ResponseMsg: around + text, Result: 'False' }),
  (text, around) =>
    JSON.stringify({ ResponseCode: 1, ResponseMsg: 'Made', data: { [text]: around, id: text } }),
  (text, around) => envelope({ data: JSON.stringify({ around, text }) }),
  (text) =>
    `{"ResponseCode":1,"ResponseMsg":"${[...text].map((one) => `\\u${hex(one.charCodeAt(0), 4)}`).join('')}"}`,
  (text, around) => envelope({ ResponseMsg: btoa(encodeURIComponent(around) + text) }),
  (text) => envelope({ ResponseMsg: Buffer.from(`?>${text}`).toString('base64url') }),
  (text) => [...text].map((one) => `%${hex(one.charCodeAt(0), 2)}`).join(''),
  (text) => `<p>${[...text].map((one) => `&#x${hex(one.charCodeAt(0), 2)};`).join('')}</p>`,
  (text, around) =>
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(around + text), Buffer.from([0x80])]),
  (text) => envelope({ ResponseMsg: `${'y'.repeat(970)}${text}`, long: `${'z'.repeat(186)}${text}` }),
]

const JSON_TYPES = Array.from({ length: 5 }, () => 'application/json')

const answers = fc.record({
  status: fc.constantFrom(200, 200, 200, 201, 307, 400, 404, 422, 500),
  type: fc.constantFrom(...JSON_TYPES, 'text/html', 'text/plain', 'application/octet-stream'),
  secret: fc.constantFrom(...SECRETS),
  around: fc.string({ maxLength: 40 }),
  write: fc.constantFrom(...WRITINGS),
  inHeader: fc.boolean(),
})

/** Every text that someone who looks for a secret can decode from a text. */
function* readings(text: string): Generator<string> {
  yield text
  yield text.replaceAll(/\\+u([\da-f]{4})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
  yield text.replaceAll(/%([\da-f]{2})/gi, (_all, code: string) => String.fromCharCode(parseInt(code, 16)))
  yield text.replaceAll(/&#x([\da-f]+);/gi, (_all, code: string) => String.fromCodePoint(parseInt(code, 16)))
  for (const [run] of text.matchAll(/[\w+/-]{12,}/g)) {
    // In base64, a text before the secret shifts the secret, so the secret may begin at any of four characters.
    for (const start of [0, 1, 2, 3]) yield Buffer.from(run.slice(start), 'base64').toString('latin1')
  }
}

/** Long parts also count: a text that is cut could contain them. */
const PARTS = SECRETS.flatMap((secret) => [secret.slice(0, 12), secret.slice(-12)])

test.for(BATCHES)(
  'calibrate: writes no key and no recipient token, whatever the service answers (batch %i)',
  async (batch, { folder }) => {
    let calls = 0
    const samples = fc.sample(answers, { numRuns: RUNS * 60, seed: 4400 + batch })
    await using service = await startRawReceiver((response, { bytes, rawHeaders }) => {
      const token = rawHeaders[rawHeaders.findIndex((name) => name.toLowerCase() === 'token') + 1]
      // Without these calls, the run stops. Apart from plain links, no other call has the same body and key.
      if (token === shop.apiKey && bytes.equals(CONTROL_BODY)) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(CREATED)
        return
      }
      const { status, type, secret, around, write, inHeader } = samples[calls % samples.length]!
      calls += 1
      response.writeHead(status, {
        'content-type': type,
        ...(inHeader && { location: `/?k=${secret}`, 'x-echo': secret }),
      })
      response.end(write(secret, around))
    })
    const args = [
      '--key-env',
      'DEV_KEY',
      '--yes',
      '--rate',
      '999999/s',
      '--recipient',
      courier.recipientToken,
    ]
    const files = ['--har', 'c.har', '--junit', 'c.xml']
    for (let run = 0; run < RUNS; run += 1) {
      const { code, stdout, stderr } = await runCli(
        ['calibrate', '--target', service.origin, ...args, ...files, ...(run % 2 === 0 ? ['--json'] : [])],
        { cwd: folder.path, env: { DEV_KEY: shop.apiKey } },
      )
      expect(code).toBe(1)
      const written = readdirSync(folder.path).toSorted()
      expect(written).toEqual(['c.har', 'c.xml', 'paylink.calibration.json'])
      for (const text of [
        stdout,
        stderr,
        ...written.map((file) => readFileSync(join(folder.path, file), 'utf8')),
      ]) {
        for (const reading of readings(text)) {
          for (const part of PARTS) if (reading.includes(part)) expect(reading).not.toContain(part)
        }
      }
    }
    expect(calls).toBeGreaterThan(RUNS * 40)
  },
)
