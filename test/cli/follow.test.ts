import { expect } from 'vitest'
import { startSandboxCli } from '../support/cli.ts'
import { followFrom, upTo } from '../support/follow-events.ts'
import { callsOf, market } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

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

test('events --follow: prints a new journal from its beginning, and announces it', async ({ folder }) => {
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

test('events --follow: ends if the sandbox no longer accepts its token', async ({ folder }) => {
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
    `The sandbox at ${first.url} no longer accepts this connection. Pass its --admin-token.`,
  ])
})
