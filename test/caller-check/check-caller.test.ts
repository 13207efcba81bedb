import { afterAll, beforeAll, expect } from 'vitest'
import { callerCases } from '../../server/caller-check/cases.ts'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import { startCaller } from '../support/caller.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

let running: OpenSandbox
let sandbox: Awaited<ReturnType<typeof connectSandbox>>

beforeAll(async () => {
  running = await openSandbox()
  sandbox = await connectSandbox(running.url)
})
afterAll(() => running.close())

type CaseName = (typeof callerCases)[number]['name']

const names: readonly CaseName[] = callerCases.map(({ name }) => name)

/** Checks an example app that has its own account. */
async function checkCaller(example: string, only?: readonly CaseName[]) {
  const { apiKey } = await sandbox.createAccount()
  await using caller = await startCaller(example, { url: running.url, apiKey })
  const report = await sandbox.checkCaller(caller.orderUrl, {
    stateUrl: caller.stateUrl,
    countPointer: '/fulfilled',
    paidText: 'Your order is paid',
    only,
  })
  return report
}

test('a correct app passes every case', async () => {
  const { results, ...report } = await checkCaller('caller')

  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(results.map(({ name }) => name)).toEqual(names)
  expect(report).toMatchObject({ passed: names.length, failed: 0, skipped: 0, problems: [] })
})

test.each<[example: string, problems: Record<string, CaseName[]>]>([
  ['repeats-lost-calls', { 'second-link': ['answer-lost'] }],
  ['takes-http-200-for-success', { 'hidden-failure': ['refused'] }],
])('%s fails the cases of its mistake', async (example, problems) => {
  const report = await checkCaller(example)
  const found = report.problems.map(({ problem, cases }) => [problem, cases])
  expect(Object.fromEntries(found)).toEqual(problems)
})
