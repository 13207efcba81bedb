import { expect, test } from 'vitest'
import { noSubject } from '../../server/domain/links/subject.ts'
import * as events from '../../server/store/journal/events.ts'
import { waitUntil } from '../../server/store/wait-until.ts'
import { openStore } from '../support/open-store.ts'

async function open() {
  const opened = await openStore()
  const { store } = opened
  const record = (version: string) =>
    store.transact((work) => work.record({ type: 'sandbox.started', ...noSubject, version }))
  /** Returns the number of events as soon as there are at least `wanted`. */
  const atLeast = (wanted: number) => async (): Promise<number | undefined> => {
    const { head } = await events.range(store.db)
    return head >= wanted ? head : undefined
  }
  return { ...opened, record, atLeast }
}

const any = () => true

test('a condition that already holds ends the wait at once, even without time to wait', async () => {
  await using opened = await open()
  const { store, record, atLeast } = opened
  await record('1')

  expect(await waitUntil(store, { match: any, check: atLeast(1), timeoutMs: 0 })).toBe(1)
})

test('the wait ends with the first commit that makes the condition true', async () => {
  await using opened = await open()
  const { store, record, atLeast } = opened
  const waiting = waitUntil(store, { match: any, check: atLeast(2) })
  await record('1')
  await record('2')

  expect(await waiting).toBe(2)
})

test('a wait does not miss an event that is recorded during its first check', async () => {
  await using opened = await open()
  const { store, record } = opened
  let checks = 0
  const check = async () => {
    if (++checks === 1) await record('1')
    return checks > 1
  }

  expect(await waitUntil(store, { match: any, check })).toBe(true)
})

test('the check runs again only after matching events', async () => {
  await using opened = await open()
  const { store, record } = opened
  let checks = 0
  const waiting = waitUntil(store, {
    match: (event) => event.type === 'sandbox.started' && event.version === '2',
    check: async () => ++checks === 2,
  })
  await record('1')
  await record('1')
  expect(checks).toBe(1)
  await record('2')

  expect(await waiting).toBe(true)
})

test('the check runs once more at the timeout', async () => {
  await using opened = await open()
  const { store, atLeast } = opened
  let checks = 0
  const onTheLast = async () => ++checks === 2

  expect(await waitUntil(store, { match: any, check: atLeast(1), timeoutMs: 1 })).toBeUndefined()
  expect(await waitUntil(store, { match: any, check: onTheLast, timeoutMs: 1 })).toBe(true)
})

test('an aborted signal ends the wait', async () => {
  await using opened = await open()
  const { store, atLeast } = opened
  const gone = new AbortController()
  const waiting = waitUntil(store, { match: any, check: atLeast(1), signal: gone.signal })
  gone.abort()

  expect(await waiting).toBeUndefined()
  expect(
    await waitUntil(store, { match: any, check: atLeast(1), signal: AbortSignal.abort() }),
  ).toBeUndefined()
})

test('a check that fails ends the wait with its error', async () => {
  await using opened = await open()
  const { store } = opened
  const check = async () => {
    throw new Error('no such table')
  }

  await expect(waitUntil(store, { match: any, check })).rejects.toThrow('no such table')
})
