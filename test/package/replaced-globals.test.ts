import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installedPath, LONG_TIMEOUT, passing, runInstalled } from '../support/installed.ts'

/** Uses a sandbox in the process of a test. */
const STORY = `
import assert from 'node:assert/strict'

export async function story({ startSandbox }) {
  const sandbox = await startSandbox()
  try {
    const account = await sandbox.createAccount({ name: 'Bakery' })
    const receiver = await account.receiver()
    const link = await account.createLink({ amount: 5 })
    const { deliveries } = await account.pay(link)
    assert.equal(deliveries[0].state, 'delivered')
    await account.waitForWebhook({ link: link.id, status: 'Success' })
    await assert.rejects(account.waitForWebhook({ status: 'cancel' }, { timeoutMs: 1 }), /No event matched/)
    await sandbox.settled()
    assert.equal(receiver.received.length, 1)
    await sandbox.clock.advance({ days: 40 })
    await sandbox.snapshot('paid')
    await sandbox.importHar(await sandbox.exportHar())
    await sandbox.reset()
    await sandbox.restore('paid')
  } finally {
    await sandbox.close()
  }
}
`

/** Options of Vitest and of Sinon. */
const CLOCKS = `
const now = Date.UTC(2001, 0, 1)
const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate', 'Date', 'performance', 'hrtime', 'queueMicrotask', 'nextTick']
export const clocks = [undefined, { now: 0 }, { now, shouldAdvanceTime: true }, { toFake }, { toFake: ['Date'], now }]
`

const VITEST = `
import * as loaded from 'paylink-sandbox'
import { expect, test, vi } from 'vitest'
import { clocks } from './clocks.js'
import { story } from './story.js'

test.each(clocks)('the sandbox works in a process with the replaced globals %j', async (clock) => {
  vi.useFakeTimers(clock)
  try {
    await story(loaded)
    expect(vi.isFakeTimers()).toBe(true)
  } finally {
    vi.useRealTimers()
  }
  await story(loaded)
})
`

const VITEST_FROM_THE_START = `
import { test, vi } from 'vitest'
import { clocks } from './clocks.js'
import { story } from './story.js'

test.each(clocks)('the package loads in a process with the replaced globals %j', async (clock) => {
  vi.resetModules()
  vi.useFakeTimers(clock)
  try {
    await story(await import('paylink-sandbox'))
  } finally {
    vi.useRealTimers()
  }
})
`

const VITEST_IN = (environment: string) => `// @vitest-environment ${environment}
import * as loaded from 'paylink-sandbox'
import { expect, test, vi } from 'vitest'
import { story } from './story.js'

test('the sandbox works in ${environment}', async () => {
  expect(document.body).toBeTruthy()
  await story(loaded)
  vi.useFakeTimers()
  await story(loaded)
})
`

const JEST = `
import { jest, test } from '@jest/globals'
import * as loaded from 'paylink-sandbox'
import { story } from './story.js'

test.each([undefined, { now: 0 }, { advanceTimers: true }, { legacyFakeTimers: true }])('the sandbox works in a process with the replaced globals %j', async (clock) => {
  jest.useFakeTimers(clock)
  await story(loaded)
  jest.useRealTimers()
  await story(loaded)
})
`

const SINON = `
import sinon from 'sinon'
import { clocks } from './clocks.js'
import { story } from './story.js'

const [clock, when] = process.argv.slice(2)
const start = () => sinon.useFakeTimers(clocks[clock])
let fake
if (when === 'before') fake = start()
const loaded = await import('paylink-sandbox')
fake ??= start()
await story(loaded)
fake.restore()
await new Promise((resolve) => setTimeout(resolve, 1))
await new Promise((resolve) => process.nextTick(resolve))
await new Promise((resolve) => queueMicrotask(resolve))
console.log('1 passed')
`

const LIMIT = `${LONG_TIMEOUT.replace('--', '')}`

test('a sandbox works with every fake clock of Vitest, including in threads', async () => {
  const folder = project('fake-vitest', { 'clock.test.js': VITEST, 'start.test.js': VITEST_FROM_THE_START })

  expect(await runInstalled(folder, ['vitest', 'run', '--pool=threads', `--${LIMIT}`])).toEqual(passing)
})

test.each(['happy-dom', 'jsdom'])('a sandbox works in the environment %s', async (environment) => {
  const folder = project(`in-${environment}`, { 'in.test.js': VITEST_IN(environment) })

  expect(await runInstalled(folder, ['vitest', 'run', `--${LIMIT}`])).toEqual(passing)
  expect(await runInstalled(folder, ['vitest', 'run', '--pool=vmThreads', `--${LIMIT}`])).toEqual(passing)
})

test.each([
  ['of each test', '{}'],
  ['of the whole run', '{ "enableGlobally": true, "now": 0 }'],
])('a sandbox works with the fake clock of Jest %s', async (_which, fakeTimers) => {
  const folder = project(`fake-jest-${fakeTimers.length}`, {
    'clock.test.js': JEST,
    'jest.config.json': `{ "transform": {}, "fakeTimers": ${fakeTimers}, "testTimeout": 180000 }`,
  })

  expect(await runInstalled(folder, ['jest'], { NODE_OPTIONS: '--experimental-vm-modules' })).toEqual(passing)
})

test.each([
  ['before', 0],
  ['before', 1],
  ['after', 0],
  ['after', 2],
  ['after', 3],
])(
  'a sandbox works with a fake clock of Sinon that is installed %s the package is loaded (%i)',
  async (when, clock) => {
    const folder = project(`fake-sinon-${when}-${clock}`, { 'sinon.js': SINON })

    expect(await runInstalled(folder, [process.execPath, 'sinon.js', String(clock), when])).toEqual(passing)
  },
)

function project(name: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(installedPath(name))
  const shared = { 'package.json': '{ "type": "module" }', 'story.js': STORY, 'clocks.js': CLOCKS }
  for (const [file, text] of Object.entries({ ...shared, ...files })) {
    writeFileSync(installedPath(join(name, file)), text)
  }
  return name
}
