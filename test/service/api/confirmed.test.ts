import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { CalibrationFile } from '../../../server/contract/schemas/calibration.ts'
import { runCli } from '../../support/cli.ts'
import { openSandbox, shop } from '../../support/sandbox.ts'
import { test } from '../../support/test.ts'

const confirmed = { verdict: 'confirmed', exchanges: 1, on: '2026-07-01' } as const

const result: CalibrationFile = {
  version: 1,
  target: 'https://dev.pay.example',
  sandbox: '0.1.0',
  points: {
    payId: { ...confirmed, value: 'same' },
    errorStatus: { ...confirmed, value: 'http' },
    retries: { verdict: 'undecided', reason: 'This shows only in a webhook.' },
    missingToken: { ...confirmed, value: 'special' },
    unknownToken: { verdict: 'differs', exchanges: 1, on: '2026-07-01' },
    linkId: confirmed,
  },
  differences: [],
}

test('a point that the real service confirms is not listed as an assumption in answers, events and reports', async ({
  folder,
}) => {
  const calibration = join(folder.path, 'paylink.calibration.json')
  writeFileSync(calibration, JSON.stringify(result))
  await using sandbox = await openSandbox({ calibration })
  const namesOf = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await sandbox.call('createLink', body, headers)
    return [answer.headers.get('sandbox-assumed'), answer.headers.get('sandbox-confirmed')]
  }

  expect(await namesOf({ amount: 1 })).toEqual(['createLink, linkFields, serverTime', 'payId, linkId'])
  expect(await namesOf({ amount: 1 }, { token: '' })).toEqual(['errorStatus', 'missingToken'])
  expect(await namesOf({ amount: 1 }, { token: 'unknown' })).toEqual(['unknownToken, errorStatus', null])
  const events = await sandbox.control('GET', '/events?type=api.request')
  expect(events.answer.events.map(({ assumed }) => assumed)[0]).toEqual([
    'createLink',
    'linkFields',
    'serverTime',
  ])
  const reported = sandbox.runReport().openPoints.map(({ name }) => name)
  expect(reported.toSorted()).toEqual([
    'createLink',
    'errorStatus',
    'linkFields',
    'serverTime',
    'unknownToken',
  ])

  await sandbox.control('PATCH', '/behaviors', { errorStatus: 'http', payId: 'distinct' })
  expect(await namesOf({ amount: 1 }, { token: '' })).toEqual([null, 'missingToken, errorStatus'])
  expect(await namesOf({ amount: 1 })).toEqual(['createLink, payId, linkFields, serverTime', 'linkId'])
})

test('a redirect that waits for webhooks does not name a behavior that the real service has confirmed', async ({
  folder,
}) => {
  const calibration = join(folder.path, 'paylink.calibration.json')
  const points = { order: { ...confirmed, value: 'webhook-first' } }
  writeFileSync(calibration, JSON.stringify({ ...result, points }))
  await using sandbox = await openSandbox({ calibration, behaviors: { order: 'webhook-first' } })
  const { id } = await sandbox.createLink({ callback_url: 'http://shop.test/done', payment_endpoint: '0' })

  await sandbox.control('POST', `/links/${id}/pay`)

  const { answer } = await sandbox.control('GET', '/events?type=redirect.sent')
  expect(answer.events).toMatchObject([{ assumed: ['statusText'] }])
})

test('without a calibration, an answer lists no behavior as confirmed', async ({ sandbox }) => {
  const { headers } = await sandbox.call('createLink', { amount: 1 }, { token: shop.apiKey })
  expect(headers.has('sandbox-confirmed')).toBe(false)
})

test.for([
  ['{', /is not a result of calibrate: .*c\.json:1:2\./],
  ['{"version":2}', /is not a result of calibrate: version: /],
  [undefined, /is not a result of calibrate: there is no such file\./],
] as const)(
  'the sandbox does not start with a calibration that cannot be read: %j',
  async ([text, message], { folder }) => {
    if (text !== undefined) writeFileSync(join(folder.path, 'c.json'), text)
    const run = await runCli(['--port', '0', '--calibration', 'c.json'], { cwd: folder.path })
    expect([run.code, run.stdout]).toEqual([2, ''])
    expect(run.stderr).toMatch(message)
  },
)
