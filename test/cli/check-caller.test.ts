import { parseXml } from '@rgrove/parse-xml'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { callerCases } from '../../server/verify/caller-check/cases.ts'
import { startCaller } from '../support/caller.ts'
import { runCli } from '../support/cli.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('check --caller: groups what it found by problem, and explains it with --details', async ({
  folder,
  sandbox,
}) => {
  await using caller = await startCaller('takes-http-200-for-success', {
    url: sandbox.url,
    apiKey: shop.apiKey,
  })
  const args = ['check', '--caller', '--order-url', caller.orderUrl, '--only', 'answer-lost,refused']
  const options = { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } }

  const run = await runCli([...args, '--junit', 'check.xml', '--markdown', 'check.md'], options)
  expect(run.code).toBe(1)
  expect(run.stderr).toBe('')
  expect(run.stdout.split('\n')).toEqual([
    'If the service refuses the payment link, the customer is not told.',
    '  refused: The service refuses the call with HTTP 200 and ResponseCode 0.',
    expect.stringMatching(
      /^  Seen: the app answered 30\d to undefined, and then 404 at http:\S+\/undefined "Not found", without a pay link\.$/,
    ),
    '  What to do: Look at ResponseCode. An error can also have HTTP 200.',
    'Not checked: Whether orders are paid: pass --state-url.',
    '1 passed, 1 failed. Answers and links were checked, but not orders.',
    'For what was expected, why, and how to repeat a case: pass --details.',
    'To write each failure as a test: pass --tests <folder>.',
    '',
  ])
  const report = parseXml(readFileSync(join(folder.path, 'check.xml'), 'utf8'))
  expect(report.root!.attributes).toMatchObject({ tests: '2', failures: '1' })
  expect(readFileSync(join(folder.path, 'check.md'), 'utf8')).toContain('Expected: the customer gets')

  const details = await runCli([...args, '--details'], options)
  expect(details.stderr.split('\n').slice(1)).toEqual([
    '✕ refused',
    '    Case: The service refuses the call with HTTP 200 and ResponseCode 0',
    '    Expected: the customer gets an error message. Later, the same order gets a pay link',
    expect.stringMatching(
      /^ {4}Seen: the app answered 30\d to undefined, and then 404 at .*, without a pay link$/,
    ),
    expect.stringMatching(/^ {4}Why: Look at ResponseCode\./),
    `    Repeat: npx paylink-sandbox check --caller --order-url ${caller.orderUrl} --only refused --details`,
    '',
  ])

  const json = await runCli([...args, '--json'], options)
  expect(JSON.parse(json.stdout)).toMatchObject({
    orderUrl: caller.orderUrl,
    checked: 'answers',
    passed: 1,
    failed: 1,
    problems: [{ problem: 'hidden-failure', cases: ['refused'] }],
    results: [{ name: 'answer-lost', problem: null }, { name: 'refused' }],
  })
})

test('check --caller --list: lists the cases', async ({ folder }) => {
  const run = await runCli(['check', '--caller', '--list'], { cwd: folder.path })
  expect([run.code, run.stdout.trimEnd().split('\n')]).toEqual([
    0,
    callerCases.map(({ name, title }) => `${name.padEnd(32)}${title}`),
  ])
})

test('check --caller: says in one line why it cannot check', async ({ folder, sandbox }) => {
  await using app = await startReceiver((_received, response) => response.writeHead(422).end('no such item'))
  writeFileSync(
    join(folder.path, 'paylink.config.ts'),
    `export default { port: ${new URL(sandbox.url).port} }`,
  )
  const wrong: [args: string[], said: RegExp][] = [
    [[], /^check --caller requires --order-url, the address of your app that places an order/],
    [['http://127.0.0.1:1/', '--order-url', app.url], /, and takes no other address\. Write/],
    [
      ['--order-url', 'http://127.0.0.1:1/'],
      /^Nothing was checked: http:\S+ gave no answer: .*Start your app/,
    ],
    [
      ['--order-url', app.url],
      /created no payment link: the app answered 422 "no such item"\. Point the app/,
    ],
    [
      ['--order-url', app.url, '--only', 'refusd'],
      /^There is no case refusd\. Did you mean refused\? check --caller --list lists all cases\.$/,
    ],
    [
      ['--order-url', app.url, '--only', 'repeated'],
      /^repeated is a case of check without --caller: leave out --caller, /,
    ],
    [
      ['--order-url', app.url, '--only', 'repeatd'],
      /Did you mean repeated, a case of check without --caller: /,
    ],
    [['--order-url', app.url, '--timeout', '26s'], /^The timeout is 26 s\. It must be at most 25 s/],
    [['--order-url', app.url, '--state-url', `${app.url}/{key}`], /unknown placeholder \{key\}.*\{order\}/],
    [['--order-url', app.url, '--paid-value', 'x'], /^The pointers and the paid value have no effect/],
  ]
  for (const [args, said] of wrong) {
    const run = await runCli(['check', '--caller', ...args], { cwd: folder.path })
    expect([run.code, run.stdout]).toEqual([2, ''])
    expect(run.stderr.trimEnd()).toMatch(said)
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1)
  }
})

test('check --caller: does not run while another fault applies', async ({ folder, sandbox }) => {
  await using caller = await startCaller('caller', { url: sandbox.url, apiKey: shop.apiKey })
  await sandbox.control('POST', '/faults', { on: 'api', script: 'pass', times: 'always' })
  const args = ['check', '--caller', '--order-url', caller.orderUrl, '--sandbox', sandbox.url]

  const run = await runCli(args, { cwd: folder.path })
  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(/^Nothing was checked, because a fault applies to the calls of the app\./)
})
