import SQLite from 'better-sqlite3'
import fc from 'fast-check'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documents } from '../support/documents.ts'
import { spawnSandbox, temporaryFolder } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { sized, sizeFrom } from '../support/size.ts'
import { ADMIN_TOKEN, expectFailures, findProblem, findRefusalProblem, type Expected } from './oracle.ts'
import { webSocketRequests } from './raw-requests.ts'
import type { FuzzRequest } from './request.ts'
import { allRequests, operationRequests } from './requests.ts'
import { fuzzSeed } from './seed.ts'
import { send, type Answer } from './send.ts'
import { weighted } from './values.ts'

/** The approximate number of requests to send. */
const REQUESTS = sizeFrom('FUZZ_REQUESTS', sized({ full: 400, small: 200 }))
/** A test sends at most this many requests, so that a problem does not end the whole run. */
const BATCH = 2_000
/** The sandbox is reset after at most this many requests, so that requests refer to links that exist. */
const MAX_AT_ONCE = 100
/** How many connections are open at the same time. */
const WORKERS = 16
const MAX_SHRINK_TRIES = 150
const MAX_MB = 700
/** An operation without a success in this many calls counts as one that never succeeds. */
const MIN_CALLS = 40

const seeds = Array.from(
  { length: Math.ceil(REQUESTS / BATCH) },
  (_none, batch) => fc.readConfigureGlobal()!.seed! + batch,
)

const folder = temporaryFolder()
const start = (database: string, ...more: readonly string[]) => {
  const cwd = join(folder.path, database)
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, 'seed.json'), JSON.stringify(fuzzSeed))
  const args = ['--port', '0', '--db', 'fuzz.db', '--seed', 'seed.json', '--keep', '50', '--quiet']
  const map = ['--map', `https://shop.example=${shop.origin}`]
  return spawnSandbox([...args, ...map, ...more], { cwd })
}
let sandbox: Awaited<ReturnType<typeof start>>
let shop: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  shop = await startReceiver()
  sandbox = await start('fuzzed')
})

afterAll(async () => {
  await sandbox?.end('SIGKILL')
  await shop?.[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const called = new Map<string, { count: number; succeeded: number }>()

/** Counts the successful calls of each operation of the API. */
function countCall({ method, target, isWellFormed }: FuzzRequest, { body }: Answer): void {
  const [, name] = /^\/api\/v2\/(\w+)(?:\?|$)/.exec(target) ?? []
  if (method !== 'POST' || !isWellFormed || name === undefined) return
  const { count, succeeded } = called.get(name) ?? { count: 0, succeeded: 0 }
  const success = body.toString().startsWith('{"ResponseCode":1,') ? 1 : 0
  called.set(name, { count: count + 1, succeeded: succeeded + success })
}

/**
 * Sends requests to the sandbox in its initial state, several at the same time. Throws if an answer is wrong or the sandbox
 * fails.
 */
async function sendAll(requests: readonly FuzzRequest[]): Promise<void> {
  const read = await documents()
  const reset = await fetch(`${sandbox.url}/_sandbox/v1/reset`, { method: 'POST' })
  expect(reset.status).toBe(200)
  const expected: Expected = { hasFaults: false, tunnelAnswers: new Set() }
  const problems: string[] = []
  const remaining = requests.values()
  const worker = async () => {
    for (const request of remaining) {
      expectFailures(request, expected)
      const answer = await send(sandbox.url, request)
      countCall(request, answer)
      const problem = findProblem(request, answer, read, expected)
      if (problem !== undefined) problems.push(problem)
    }
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
  const isAlive = await fetch(`${sandbox.url}/_sandbox/health`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isAlive) problems.push(`The sandbox ended with ${await sandbox.end('SIGKILL')}.`)
  problems.push(...sandbox.errors.splice(0).map((line) => `stderr: ${line}`))
  if (!isAlive) sandbox = await start('fuzzed')
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

test.for(seeds)('every route answers any request correctly (seed %i)', async (seed) => {
  const { api, control } = await documents()
  const requests = fc.array(allRequests([api.document, control.document]), {
    minLength: 1,
    maxLength: Math.min(MAX_AT_ONCE, Math.ceil(REQUESTS / 2)),
    size: 'max',
  })
  const numRuns = Math.ceil((Math.min(BATCH, REQUESTS) / MAX_AT_ONCE) * 2)
  let failures = 0
  const property = fc.asyncProperty(requests, async (some) => {
    if (failures > MAX_SHRINK_TRIES) return
    if (failures > 0) failures += 1
    await sendAll(some).catch((error: unknown) => {
      failures ||= 1
      throw error
    })
  })
  await fc.assert(property, { seed, numRuns })
  expect(residentMegabytes(sandbox.pid)).toBeLessThan(MAX_MB)
})

test('each operation that was called often has succeeded', () => {
  const never = [...called].filter(([, { count, succeeded }]) => count >= MIN_CALLS && succeeded === 0)
  expect(never).toEqual([])
})

test('the sandbox stops, and its database is sound and opens again', async () => {
  expect([await sandbox.end('SIGTERM'), sandbox.errors]).toEqual([0, []])
  const db = new SQLite(join(folder.path, 'fuzzed', 'fuzz.db'), { readonly: true })
  const [integrity, references] = [db.pragma('integrity_check'), db.pragma('foreign_key_check')]
  db.close()
  expect([integrity, references]).toEqual([[{ integrity_check: 'ok' }], []])
  await using again = await start('fuzzed')
  expect((await fetch(`${again.url}/_sandbox/ready`)).status).toBe(200)
})

test('a sandbox with an admin token refuses each request without this token, and reveals nothing', async () => {
  await using guarded = await start('guarded', '--admin-token', ADMIN_TOKEN)
  const { control } = await documents()
  const requests = weighted([4, operationRequests([control.document])], [1, webSocketRequests])
  const property = fc.asyncProperty(requests, async (request) => {
    expect(findRefusalProblem(request, await send(guarded.url, request))).toBeUndefined()
  })
  await fc.assert(property, { numRuns: Math.ceil(REQUESTS / 10) })
  expect(guarded.errors).toEqual([])
})

/** 0 if the operating system does not have /proc. */
function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}
