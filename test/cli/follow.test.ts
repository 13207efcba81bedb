import { expect } from 'vitest'
import type { EventView } from '../../server/contract/views.ts'
import { startCli, startSandboxCli } from '../support/cli.ts'
import { spawnSandbox } from '../support/process.ts'
import { callsOf, market } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** Runs `events --follow --json`, with the events that it has printed so far. */
function followFrom(folder: { readonly path: string }, url: string, ...flags: readonly string[]) {
  const run = startCli(['events', '--follow', '--json', ...flags], {
    cwd: folder.path,
    env: { PAYLINK_URL: url },
  })
  const events = (): EventView[] => run.lines.map((line) => JSON.parse(line) as EventView)
  const seen = (type: string, times = 1): Promise<void> =>
    run.until(() => events().filter((event) => event.type === type).length >= times)
  return Object.assign(run, { events, seqs: () => events().map(({ seq }) => seq), seen })
}

const upTo = (head: number): number[] => Array.from({ length: head }, (_, index) => index + 1)

const portOf = (url: string): string => new URL(url).port

test('events --follow: prints past events, then new ones, until Ctrl-C', async ({ folder, sandbox }) => {
  await sandbox.createLink()
  await using run = followFrom(folder, sandbox.url)
  await run.seen('api.request')

  await sandbox.control('POST', '/links/1001/pay')
  await run.seen('delivery.attempted')
  run.interrupt('SIGINT')

  expect(await run.closed).toBe(0)
  expect(run.seqs()).toEqual(upTo(7))
  expect(run.errors).toEqual([])
})

test('events --follow: accepts the filters of a list, and a seq to start from', async ({
  folder,
  sandbox,
}) => {
  for (let count = 0; count < 3; count++) await sandbox.createLink()
  await using newest = followFrom(folder, sandbox.url, '--type', 'link.created,link.paid', '--limit', '2')
  await using mine = followFrom(folder, sandbox.url, '--account', 'Market Hall', '--after', '0')
  await using one = followFrom(folder, sandbox.url, '--link', 'pay:1002')
  await Promise.all([newest.seen('link.created', 2), one.seen('api.request')])

  await sandbox.call('createLink', { amount: 1 }, { token: market.apiKey })
  await sandbox.control('POST', '/links/1002/pay')
  await Promise.all([newest.seen('link.paid'), mine.seen('api.request'), one.seen('delivery.attempted')])

  expect(newest.events().map(({ type, linkId }) => [type, linkId])).toEqual([
    ['link.created', 1002],
    ['link.created', 1003],
    ['link.created', 1004],
    ['link.paid', 1002],
  ])
  expect(new Set(mine.events().map(({ accountId }) => accountId))).toEqual(new Set([market.id]))
  expect(new Set(one.events().map(({ linkId }) => linkId))).toEqual(new Set([1002]))
})

test('events --follow: reconnects to a sandbox that was killed, and prints every event once', async ({
  folder,
}) => {
  const first = await spawnSandbox(['--port', '0'], { cwd: folder.path })
  await callsOf(first.url).createLink()
  await using run = followFrom(folder, first.url)
  await run.seen('api.request')

  await first.end('SIGKILL')
  await run.until(() => run.errors.length === 1)
  await using second = await startSandboxCli(['--port', portOf(first.url)], { cwd: folder.path })
  await run.until(() => run.errors.length === 2)
  await callsOf(second.url).createLink()
  await run.seen('api.request', 2)

  expect(run.errors).toEqual([
    `The sandbox at ${first.url} is gone. Waiting for it to come back.`,
    `The sandbox at ${first.url} is back.`,
  ])
  const { answer } = await callsOf(second.url).control<{ head: number }>('GET', '/events?limit=1')
  expect(run.seqs()).toEqual(upTo(answer.head))
})

test('events --follow: prints a new journal from its beginning, and says so', async ({ folder }) => {
  const first = await startSandboxCli(['--port', '0', '--db', ':memory:'], { cwd: folder.path })
  await using run = followFrom(folder, first.url)
  await run.seen('sandbox.started')

  await first.end('SIGTERM')
  await run.until(() => run.errors.length === 1)
  await using second = await startSandboxCli(['--port', portOf(first.url), '--db', ':memory:'], {
    cwd: folder.path,
  })
  await run.seen('sandbox.started', 2)
  const { control, createLink } = callsOf(second.url)
  await createLink()
  await control('POST', '/reset')
  await run.seen('sandbox.reset')

  expect(run.errors.slice(1)).toEqual([
    `The sandbox at ${first.url} is back.`,
    'A new journal has begun.',
    'A new journal has begun.',
  ])
  expect(run.events().map(({ type, seq }) => [type, seq])).toEqual([
    ['sandbox.started', 1],
    ['sandbox.started', 1],
    ['link.created', 2],
    ['api.request', 3],
    ['sandbox.reset', 1],
  ])
})

test('events --follow: continues after a restored snapshot, without repeating events', async ({
  folder,
  sandbox,
}) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/snapshots', { name: 'prepared' })
  await sandbox.createLink()
  await using run = followFrom(folder, sandbox.url)
  await run.seen('api.request', 2)

  await sandbox.control('POST', '/snapshots/prepared/restore')
  await run.seen('sandbox.restored')
  await sandbox.createLink()
  await run.seen('api.request', 3)

  const types = run
    .events()
    .map(({ type }) => type)
    .filter((type) => type !== 'diagnostic.found')
  expect(types.filter((type) => type === 'sandbox.started')).toHaveLength(1)
  expect(types.slice(types.indexOf('sandbox.restored'))).toEqual([
    'sandbox.restored',
    'link.created',
    'api.request',
  ])
})

test('events --follow: ends if the sandbox no longer admits it', async ({ folder }) => {
  const first = await startSandboxCli(['--port', '0', '--db', ':memory:'], { cwd: folder.path })
  await using run = followFrom(folder, first.url)
  await run.seen('sandbox.started')
  await first.end('SIGTERM')
  await using _second = await startSandboxCli(
    ['--port', portOf(first.url), '--db', ':memory:', '--admin-token', 'open-sesame'],
    { cwd: folder.path },
  )

  expect([await run.closed, run.errors.at(-1)]).toEqual([
    2,
    `The sandbox at ${first.url} no longer admits this connection. Pass its --admin-token.`,
  ])
})
