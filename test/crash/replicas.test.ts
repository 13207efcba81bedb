import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { query } from '../support/postgres.ts'
import { spawnSandbox, temporaryFolder } from '../support/process.ts'
import { roleOf } from '../support/replicas.ts'
import { sizeFrom } from '../support/size.ts'
import { findOrFetchPostgres } from '../../scripts/find-postgres.js'
import { startPostgres, type PostgresServer } from '../../scripts/start-postgres.js'
import { startBalancer } from './balancer.ts'
import { ARGUMENTS, repeat, startCrashRun } from './run.ts'

const CRASHES = sizeFrom('CRASHES', 3)
const REPLICAS = 3
const STREAMS = 20
const seed = fc.readConfigureGlobal()!.seed!

/** What happens to the replicas, repeated in this sequence. */
const ORDER = [
  'the leader is killed',
  'the connection of the leader is cut',
  'the leader stops',
  'the leader is killed',
  'a follower is killed',
  'the leader is frozen',
  'the leader is killed',
  'all restart in turn',
  'the leader is killed',
  'PostgreSQL restarts',
] as const
type Kind = (typeof ORDER)[number]

const programs = findOrFetchPostgres()

describe.skipIf(programs === undefined)('replicas', () => {
  const folder = temporaryFolder()
  const replicas = new Map<number, Awaited<ReturnType<typeof spawnSandbox>>>()
  /** Resolves when the replica at a URL has been started again. */
  const replaced = new Map<string, Promise<unknown>>()
  let server: PostgresServer
  let balancer: Awaited<ReturnType<typeof startBalancer>>
  let run: Awaited<ReturnType<typeof startCrashRun>>
  let hasFailed = false

  beforeAll(async () => {
    server = await startPostgres(programs!, { isDurable: true })
    const ports: number[] = []
    for (let count = 0; count < REPLICAS; count++) ports.push(await freePort())
    balancer = await startBalancer(ports)
    for (const port of ports) await start(port)
    const urls = [...ports.map(urlOf), balancer.url]
    const victim = {
      url: balancer.url,
      streams: Array.from({ length: STREAMS }, (_none, index) => urls[index % urls.length]!),
      refusesWebhooks: true,
      up: (url: string) => replaced.get(url) ?? Promise.resolve(),
      // Replicas write to stderr when they lose their leader or the database.
      takeErrors: () => [],
    }
    run = await startCrashRun(victim, seed)
  })

  afterAll(async () => {
    await run?.[Symbol.asyncDispose]()
    for (const replica of replicas.values()) {
      process.kill(replica.pid, 'SIGCONT')
      await replica.end('SIGKILL')
    }
    balancer?.close()
    server?.stop()
    folder[Symbol.dispose]()
    process.stdout.write(`Seed ${seed}: ${run?.summary()}.\n`)
  })

  // After a loss, all later results would be wrong.
  beforeEach(({ skip, onTestFailed }) => {
    skip(hasFailed)
    onTestFailed(() => void (hasFailed = true))
  })

  const urlOf = (port: number): string => `http://127.0.0.1:${port}`

  async function start(port: number): Promise<void> {
    const args = ['--port', String(port), '--replicas', '--db', server.url, '--public-url', balancer.url]
    replicas.set(port, await spawnSandbox([...args, ...ARGUMENTS], { cwd: folder.path }))
  }

  /** Ends a replica, and starts it again. */
  async function replace(port: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const replica = replicas.get(port)!
    const ended = replica.end(signal)
    const started = ended.then(() => start(port))
    replaced.set(urlOf(port), started)
    await started
    if (signal === 'SIGTERM') expect(await ended).toBe(0)
  }

  /** The port of the leader, other than the given one. */
  const leader = (except?: number): Promise<number> =>
    vi.waitUntil(
      async () => {
        for (const port of replicas.keys())
          if (port !== except && (await roleOf(urlOf(port)).catch(() => 'none')) === 'leader') return port
        return undefined
      },
      { timeout: 300_000 },
    ) as Promise<number>

  const happen: Record<Kind, () => Promise<unknown>> = {
    'the leader is killed': async () => replace(await leader(), 'SIGKILL'),
    'the leader stops': async () => replace(await leader(), 'SIGTERM'),
    async 'all restart in turn'() {
      for (const port of replicas.keys()) await replace(port, 'SIGTERM')
    },
    async 'a follower is killed'() {
      const leading = await leader()
      await replace(
        [...replicas.keys()].find((port) => port !== leading)!,
        'SIGKILL',
      )
    },
    async 'the leader is frozen'() {
      const frozen = await leader()
      process.kill(replicas.get(frozen)!.pid, 'SIGSTOP')
      await leader(frozen)
      process.kill(replicas.get(frozen)!.pid, 'SIGCONT')
    },
    'the connection of the leader is cut': () =>
      query(
        server.url,
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted`,
      ),
    'PostgreSQL restarts': async () => server.restart(),
  }

  test.for(repeat(ORDER, CRASHES))('lose no answered call and no webhook (%i: %s)', async ([, kind]) => {
    await leader()
    expect(await run.problemsAfter(happen[kind])).toEqual([])
  })

  test('deliver every webhook in the end', async () => {
    await leader()
    expect(await run.problemsAtEnd()).toEqual([])
  })
})
