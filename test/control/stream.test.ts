import { expect } from 'vitest'
import { followStream } from '../support/follow-stream.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const headOf = async (sandbox: OpenSandbox): Promise<number> =>
  (await sandbox.control('GET', '/events?limit=1')).answer.head

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('the stream sends a greeting, then past events, then new ones', async ({ sandbox }) => {
  await sandbox.createLink()
  const before = await headOf(sandbox)
  await using follower = await followStream(sandbox.url)

  await follower.until(() => follower.seqs().length === before)
  await sandbox.control('POST', '/links/1001/pay')
  const after = await headOf(sandbox)
  await follower.until(() => follower.seqs().length === after)

  expect(follower.messages[0]).toEqual({
    type: 'hello',
    epoch: expect.any(String),
    head: before,
    oldest: 1,
    version: sandbox.version,
  })
  expect(follower.seqs()).toEqual(upTo(1, after))
})

test('the stream continues after any seq', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')
  const head = await headOf(sandbox)

  for (let after = 0; after < head; after++) {
    await using follower = await followStream(sandbox.url, `?after=${after}`)
    await follower.until(() => follower.seqs().at(-1) === head)
    expect(follower.seqs()).toEqual(upTo(after + 1, head))
  }
})

test('a client that reconnects under load gets every event once', async ({ sandbox }) => {
  const load = Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let calls = 0; calls < 40; calls++) await sandbox.call('createLink', { amount: 1 })
    }),
  )
  const seen: number[] = []
  for (let visit = 0; visit < 20; visit++) {
    await using follower = await followStream(sandbox.url, `?after=${seen.at(-1) ?? 0}`)
    await follower.until(() => follower.seqs().length > 0 || visit > 10)
    seen.push(...follower.seqs())
  }
  await load
  const head = await headOf(sandbox)
  await using last = await followStream(sandbox.url, `?after=${seen.at(-1)}`)
  await last.until(() => (last.seqs().at(-1) ?? seen.at(-1)) === head)

  expect([...seen, ...last.seqs()]).toEqual(upTo(1, head))
})

test('a long history is sent completely', async ({ sandbox }) => {
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 100 }, () => sandbox.call('createLink', { amount: 1 })))
  }
  const head = await headOf(sandbox)
  await using follower = await followStream(sandbox.url)
  await follower.until(() => follower.seqs().length >= head)
  expect(follower.seqs()).toEqual(upTo(1, head))
})

test('after a reset the stream sends a greeting again and starts over', async ({ sandbox }) => {
  for (let calls = 0; calls < 5; calls++) await sandbox.createLink()
  await using follower = await followStream(sandbox.url)
  await follower.until(() => follower.seqs().length > 5)

  await sandbox.control('POST', '/reset')
  await sandbox.createLink()
  const hellos = () => follower.messages.filter(({ type }) => type === 'hello')
  await follower.until(() => hellos().length === 2 && follower.seqs().at(-1) === 3)

  const place = follower.messages.findLastIndex(({ type }) => type === 'hello')
  const since = follower.messages
    .slice(place + 1)
    .flatMap((message) => (message.type === 'events' ? message.events : []))
  expect(since.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'sandbox.reset'],
    [2, 'link.created'],
    [3, 'api.request'],
  ])
  expect(hellos()[0]).not.toEqual(hellos()[1])
})

test('a seq of a deleted journal starts at the beginning of the new journal', async ({ sandbox }) => {
  await sandbox.createLink()
  await using follower = await followStream(sandbox.url, '?after=2&epoch=another')
  await follower.until(() => follower.seqs().length === 3)
  expect(follower.seqs()).toEqual([1, 2, 3])
})

test('a seq after the end of the journal starts at its beginning, because the newest events were lost', async ({
  sandbox,
}) => {
  await sandbox.createLink()
  const { answer } = await sandbox.control('GET', '/info')
  await using follower = await followStream(sandbox.url, `?after=9&epoch=${answer.epoch}`)
  await follower.until(() => follower.seqs().length === 3)
  expect(follower.seqs()).toEqual([1, 2, 3])
})

test('twenty clients get the same events', async ({ sandbox }) => {
  const followers = await Promise.all(Array.from({ length: 20 }, () => followStream(sandbox.url)))
  await Promise.all(Array.from({ length: 20 }, () => sandbox.createLink()))
  const head = await headOf(sandbox)

  for (const follower of followers) {
    await follower.until(() => follower.seqs().at(-1) === head)
    expect(follower.seqs()).toEqual(upTo(1, head))
    follower.close()
  }
})

test.for(['?after=x', '?after=-5', '?after=1e99', '?after=99999'])(
  'the stream tolerates the query %s',
  async (query, { sandbox }) => {
    await using follower = await followStream(sandbox.url, query)
    await follower.until(() => follower.messages.length > 0)
    expect(follower.messages[0]).toMatchObject({ type: 'hello', head: 1 })
    expect(sandbox.problems).toEqual([])
  },
)

test('a stream without events sends a ping', async () => {
  await using sandbox = await openSandbox({ streamHeartbeatMs: 5 })
  await using follower = await followStream(sandbox.url)
  const signs = () => follower.messages.filter(({ type }) => type === 'alive').length
  await follower.until(() => signs() >= 2)
})
