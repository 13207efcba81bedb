import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { spawnSandbox, startBuiltCli, temporaryFolder } from '../support/process.ts'
import { sized, sizeFrom } from '../support/size.ts'
import { ARGUMENTS, repeat, startCrashRun } from './run.ts'

const CRASHES = sizeFrom('CRASHES', sized({ full: 4, small: 2 }))
const seed = fc.readConfigureGlobal()!.seed!

/** What happens to the sandbox, repeated in this sequence. */
const ORDER = [
  'kill',
  'kill while it starts',
  'kill',
  'kill while it stops',
  'kill',
  'kill while it starts',
  'kill',
  'stop',
] as const
type Kind = (typeof ORDER)[number]

/** A start is killed after a random time of at most this. */
const MAX_START_MS = 600
const MAX_TURNS = 50

const folder = temporaryFolder()
const file = join(folder.path, 'sandbox.db')
let sandbox: Awaited<ReturnType<typeof spawnSandbox>>
/** Resolves when a killed sandbox has been replaced. */
let replaced: Promise<unknown> = Promise.resolve()
let run: Awaited<ReturnType<typeof startCrashRun>>
let args: string[]
const errors: string[] = []
let hasFailed = false

beforeAll(async () => {
  args = ['--port', String(await freePort()), '--db', file, ...ARGUMENTS]
  await start()
  const { url } = sandbox
  run = await startCrashRun(
    {
      url,
      streams: [url, url],
      refusesWebhooks: false,
      up: () => replaced,
      takeErrors: () => [...errors.splice(0), ...sandbox.errors.splice(0)],
    },
    seed,
  )
})

afterAll(async () => {
  await run?.[Symbol.asyncDispose]()
  await sandbox?.end('SIGKILL')
  process.stdout.write(`Seed ${seed}: ${run?.summary()}.\n`)
  if (hasFailed) process.stdout.write(`The database is kept: ${file}\n`)
  else folder[Symbol.dispose]()
})

// After a loss, all later results would be wrong.
beforeEach(({ skip, onTestFailed }) => {
  skip(hasFailed)
  onTestFailed(() => void (hasFailed = true))
})

async function start(): Promise<void> {
  sandbox = await spawnSandbox(args, { cwd: folder.path })
}

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const code = await sandbox.end(signal)
  errors.push(...sandbox.errors)
  return code
}

const happen: Record<Kind, () => Promise<unknown>> = {
  kill: () => end('SIGKILL'),
  async 'kill while it stops'() {
    const stopped = end('SIGTERM')
    await passTurns()
    await Promise.all([stopped, sandbox.end('SIGKILL')])
  },
  async 'kill while it starts'() {
    await end('SIGKILL')
    const limit = { timeout: 1 + run.plan.below(MAX_START_MS), killSignal: 'SIGKILL' } as const
    const killed = startBuiltCli(args, { cwd: folder.path, ...limit })
    await killed.closed
    errors.push(...killed.errors)
  },
  async stop() {
    expect(await end('SIGTERM')).toBe(0)
  },
}

/** Waits for some turns of the event loop, so that the sandbox can work. */
async function passTurns(): Promise<void> {
  for (let turns = run.plan.below(MAX_TURNS); turns > 0; turns--)
    await new Promise((resolve) => setImmediate(resolve))
}

test.for(repeat(ORDER, CRASHES))(
  'a sandbox loses no answered call and no webhook (%i: %s)',
  async ([, kind]) => {
    const problems = await run.problemsAfter(async () => {
      await passTurns()
      replaced = happen[kind]().then(start)
      await replaced
    })
    expect(problems).toEqual([])
  },
)

test('a sandbox that was killed delivers every webhook in the end, and its database is sound', async () => {
  expect(await run.problemsAtEnd()).toEqual([])
  expect([await end('SIGTERM'), errors]).toEqual([0, []])
  const snapshots = readdirSync(`${file}.snapshots`)
  expect(snapshots.filter((name) => !name.endsWith('.ndjson.gz'))).toEqual([])
  const db = new SQLite(file, { readonly: true })
  expect(db.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  db.close()
})
