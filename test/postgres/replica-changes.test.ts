import { expect } from 'vitest'
import { connectSandbox } from '../../server/package/index.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { newSchema, postgresUrl } from '../support/postgres.ts'
import { startReceiver } from '../support/receiver.ts'
import { startServer } from '../support/start-postgres.ts'
import { WebSocket } from 'ws'
import { followStream } from '../support/follow-stream.ts'
import { startReplicas, roleOf } from '../support/replicas.ts'
import { startRetryingProxy } from '../support/retrying-proxy.ts'
import { callsOf, recipients, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

type Replicas = Awaited<ReturnType<typeof startReplicas>>

async function createLink(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/api/v2/createSplitLink`, {
    method: 'POST',
    headers: { token: shop.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 100, recipients }),
  })
  return { status: response.status, text: await response.text() }
}

/** Calls one replica again and again until it is stopped. Returns the answers. */
function callUntilTold(url: string) {
  const ids: number[] = []
  const failures: string[] = []
  let isStopped = false
  const done = (async () => {
    while (!isStopped) {
      try {
        const { status, text } = await createLink(url)
        if (status === 200) ids.push((JSON.parse(text) as { data: { id: number } }).data.id)
        else failures.push(`${status} ${text}`)
      } catch (error) {
        failures.push(String(error))
      }
    }
  })()
  return {
    ids,
    failures,
    async stop() {
      isStopped = true
      await done
    },
  }
}

async function linkIds(url: string): Promise<number[]> {
  const ids: number[] = []
  for (let before = ''; ;) {
    const { answer } = await callsOf(url).control('GET', `/links?limit=100${before}`)
    if (answer.links.length === 0) return ids
    ids.push(...answer.links.map(({ id }) => id))
    before = `&before=${ids.at(-1)}`
  }
}

/** Resolves when a replica other than the given one leads. */
async function nextLeader({ all }: Replicas, former: { url: string }): Promise<string> {
  const others = all.filter(({ url }) => url !== former.url)
  await expect.poll(async () => Promise.all(others.map(({ url }) => roleOf(url)))).toContain('leader')
  for (const { url } of others) if ((await roleOf(url)) === 'leader') return url
  throw new Error('The leader has changed again.')
}

test('no call through a follower fails when the leader is stopped under load', async ({ folder }) => {
  await using replicas = await startReplicas(folder.path, 3)
  const [leader, second, third] = replicas.all
  const loads = [second!, third!].flatMap(({ url }) => [callUntilTold(url), callUntilTold(url)])
  await expect.poll(() => loads.every(({ ids }) => ids.length > 5)).toBe(true)

  expect(await leader!.end('SIGTERM')).toBe(0)
  const next = await nextLeader(replicas, leader!)
  const before = loads.map(({ ids }) => ids.length)
  await expect.poll(() => loads.every(({ ids }, index) => ids.length > before[index]! + 5)).toBe(true)
  await Promise.all(loads.map((load) => load.stop()))

  expect(loads.flatMap(({ failures }) => failures)).toEqual([])
  expect((await linkIds(next)).toSorted()).toEqual(loads.flatMap(({ ids }) => ids).toSorted())
})

test('a rolling restart of all replicas fails no call through a proxy that avoids stopping replicas', async ({
  folder,
}) => {
  await using replicas = await startReplicas(folder.path, 3)
  const former = [...replicas.all]
  const urls = former.map(({ url }) => url)
  await using proxy = await startRetryingProxy(urls)
  const loads = Array.from({ length: 4 }, () => callUntilTold(proxy.url))
  const answerMore = async (): Promise<void> => {
    const before = loads.map(({ ids }) => ids.length)
    await expect.poll(() => loads.every(({ ids }, index) => ids.length > before[index]! + 5)).toBe(true)
  }
  await answerMore()
  for (const [index, replica] of former.entries()) {
    expect(await replica.end('SIGTERM')).toBe(0)
    await answerMore()
    urls[index] = (await replicas.start()).url
    await answerMore()
  }
  await Promise.all(loads.map((load) => load.stop()))

  expect(loads.flatMap(({ failures }) => failures)).toEqual([])
  expect((await linkIds(proxy.url)).toSorted()).toEqual(loads.flatMap(({ ids }) => ids).toSorted())
})

test('if the leader is killed, another process leads with every answered call and the same stream', async ({
  folder,
}) => {
  await using replicas = await startReplicas(folder.path, 3)
  const [leader, second, third] = replicas.all
  const load = callUntilTold(second!.url)
  await using stream = await followStream(third!.url)
  await expect.poll(() => load.ids.length > 5).toBe(true)

  await leader!.end('SIGKILL')
  const next = await nextLeader(replicas, leader!)
  const before = load.ids.length
  await expect.poll(() => load.ids.length > before + 5).toBe(true)
  await load.stop()

  const stored = await linkIds(next)
  expect(stored).toEqual(expect.arrayContaining(load.ids))
  // Only calls over connections to the killed process have failed, and these may have taken effect.
  expect(load.failures.filter((failure) => !failure.includes('fetch failed'))).toEqual([])
  expect(stored.length - load.ids.length).toBeLessThanOrEqual(load.failures.length)

  await expect.poll(() => stream.socket.readyState).toBe(WebSocket.CLOSED)
  const last = stream.seqs().at(-1)!
  await using resumed = await followStream(third!.url, `?after=${last}`)
  await resumed.until(() => resumed.seqs().length > 0)
  expect(resumed.seqs()[0]).toBe(last + 1)
})

test('a frozen leader loses the lead, and answers nothing from its old state afterwards', async ({
  folder,
}) => {
  await using replicas = await startReplicas(folder.path, 2)
  const [leader, follower] = replicas.all
  const { control } = callsOf(follower!.url)
  const accountsOf = async (url: string) => (await fetch(`${url}/_sandbox/v1/accounts`)).text()
  // Fills the cache of the leader.
  expect(await accountsOf(leader!.url)).not.toContain('Created meanwhile')

  process.kill(leader!.pid, 'SIGSTOP')
  const waiting = Promise.all([accountsOf(leader!.url), accountsOf(leader!.url)])
  await nextLeader(replicas, leader!)
  await control('POST', '/accounts', { name: 'Created meanwhile' })
  process.kill(leader!.pid, 'SIGCONT')

  for (const accounts of await waiting) expect(accounts).toContain('Created meanwhile')
  expect(await accountsOf(leader!.url)).toContain('Created meanwhile')
  await expect.poll(() => roleOf(leader!.url)).toBe('follower')
})

test('a leader that cannot reach the database follows the next one, and says what happened to a commit', async ({
  folder,
}) => {
  await using proxy = await startCuttingProxy(postgresUrl ?? '')
  await using schema = newSchema()
  await using replicas = await startReplicas(folder.path, 0)
  const leader = await replicas.start(schema.url.replace(postgresUrl ?? '', proxy.url))
  await replicas.start(schema.url)

  proxy.cutAt('commit', 'close-after', 'insert into "link"')
  const cut = createLink(leader.url)
  const next = await nextLeader(replicas, leader)
  proxy.open()

  const { status, text } = await cut
  const ids = await linkIds(next)
  // If the next leader started too late, the former leader could not ask the database.
  if (status === 200) expect(ids).toEqual([(JSON.parse(text) as { data: { id: number } }).data.id])
  else expect(text).toContain('It is not known whether this was done')
  await expect.poll(() => roleOf(leader.url)).toBe('follower')
  expect((await createLink(leader.url)).status).toBe(200)
  expect(await linkIds(next)).toHaveLength(ids.length + 1)
})

test('after a restart of the database server, one process leads and no answered call is lost', async ({
  folder,
}) => {
  const server = await startServer()
  try {
    await using replicas = await startReplicas(folder.path, 2, [], newSchema(server.url))
    const load = callUntilTold(replicas.all[1]!.url)
    await expect.poll(() => load.ids.length > 5).toBe(true)
    server.restart()
    const before = load.ids.length
    await expect.poll(() => load.ids.length > before + 5).toBe(true)
    await load.stop()
    const stored = await linkIds(replicas.all[0]!.url)
    expect(stored).toEqual(expect.arrayContaining(load.ids))
    expect(new Set(load.ids).size).toBe(load.ids.length)
    const roles = () => Promise.all(replicas.all.map(({ url }) => roleOf(url)))
    await expect.poll(async () => (await roles()).toSorted()).toEqual(['follower', 'leader'])
  } finally {
    server.stop()
  }
})

test('a webhook that was being sent when the leader was killed is sent again, marked as a possible duplicate', async ({
  folder,
}) => {
  let isSlow = true
  await using receiver = await startReceiver((_received, response) => {
    if (!isSlow) response.end()
  })
  await using replicas = await startReplicas(folder.path, 2)
  const [leader, follower] = replicas.all
  const { createLink: create, control } = callsOf(follower!.url)
  const { id } = await create({ payment_endpoint: receiver.url })
  await control('POST', `/links/${id}/pay`, { wait: 'accepted' })
  await receiver.count(1)
  isSlow = false
  await leader!.end('SIGKILL')
  await receiver.count(2)
  const { answer } = await control('GET', '/deliveries')
  expect(answer.deliveries).toMatchObject([{ possibleDuplicate: true }])
})

test('a tunnel listener at a follower continues with the next leader', async ({ folder, receiver }) => {
  await using replicas = await startReplicas(folder.path, 3)
  const [leader, second, third] = replicas.all
  await using sandbox = await connectSandbox(second!.url)
  await using _listener = await sandbox.tunnels.listen({ tunnel: 'shop', forwardTo: receiver.origin })
  const send = (path: string) => fetch(`${third!.url}/tunnel/shop/${path}`, { method: 'POST' })

  await send('before')
  await receiver.count(1)
  await leader!.end('SIGKILL')
  await nextLeader(replicas, leader!)
  await send('afterwards')
  await receiver.count(2)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/before', '/afterwards'])
})

test('the inspector of a follower stays logged in when the leader changes, and names the replicas', async ({
  folder,
  page,
}) => {
  const token = 'open-sesame'
  await using replicas = await startReplicas(folder.path, 3, ['--admin-token', token])
  const [leader, second, third] = replicas.all
  const about = page.getByRole('region', { name: 'About' })
  const names = (leading: string, followers: string): Promise<void> =>
    about.getByText(`Leader ${leading}, followers ${followers}`, { exact: true }).waitFor()

  await page.goto(`${second!.url}/?admin_token=${token}`)
  await page.goto(`${second!.url}/#/sandbox`)
  await names(leader!.url, [second!.url, third!.url].toSorted().join(', '))

  await leader!.end('SIGTERM')
  const next = await nextLeader(replicas, leader!)
  const other = replicas.all.find(({ url }) => url !== leader!.url && url !== next)!
  await page.reload()
  await names(next, other.url)
  await page.getByText('Live', { exact: true }).waitFor()
})
