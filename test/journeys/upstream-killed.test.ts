import { join } from 'node:path'
import { expect } from 'vitest'
import { createCondition } from '../support/condition.ts'
import { spawnSandbox } from '../support/process.ts'
import { callsOf, openSandbox, shop } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'
import { test } from '../support/test.ts'

const CALLERS = 6
const CALLS = sized({ full: 60, small: 20 })

interface Seen {
  readonly note: string
  readonly status: number
  readonly text: string
}

/** Every call in the journal, with what its caller got. */
async function readJournal({ control }: ReturnType<typeof callsOf>) {
  const { answer } = await control('GET', '/events?type=api.request&limit=1000')
  return Promise.all(
    answer.events.map(async ({ seq, upstreamError }) => {
      const { answer: event } = await control('GET', `/events/${seq}`)
      const { request, response } = event.exchange!
      const note = JSON.parse(request.body.content).recipient_note as string
      return { note, status: response!.status, text: response!.body.content, upstreamError }
    }),
  )
}

const byNote = (one: Seen, other: Seen) => one.note.localeCompare(other.note)

test('no call is lost from the journal when the upstream is killed during slow and incomplete answers', async ({
  folder,
}) => {
  const db = join(folder.path, 'service.db')
  const mirrorDb = join(folder.path, 'mirror.db')
  await using service = await spawnSandbox(['--port', '0', '--db', db], { cwd: folder.path })
  const { control } = callsOf(service.url)
  await control('POST', '/faults', { on: 'api', operation: 'refundPayment', script: 'latency:60s' })
  await control('POST', '/faults', {
    on: 'api',
    operation: 'createLink',
    script: 'latency:30ms,truncate,pass,reset',
    times: 'always',
  })
  const seen: Seen[] = []
  const { notify, until } = createCondition()
  {
    await using mirror = await openSandbox({ upstream: service.url, db: mirrorDb, keep: 0 })
    const call = async (operation: string, note: string) => {
      const response = await fetch(`${mirror.url}/api/v2/${operation}`, {
        method: 'POST',
        headers: { token: shop.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 5, recipient_note: note }),
      })
      seen.push({ note, status: response.status, text: await response.text() })
      notify()
    }
    const unanswered = call('refundPayment', 'unanswered')
    const callers = Array.from({ length: CALLERS }, async (_none, caller) => {
      for (let index = 0; index < CALLS; index += 1) await call('createLink', `${caller}-${index}`)
    })
    await until(() => seen.length >= (CALLERS * CALLS) / 2)
    await service.end('SIGKILL')
    await Promise.all([unanswered, ...callers])
    expect(mirror.problems).toEqual([])
  }
  expect(seen).toHaveLength(CALLERS * CALLS + 1)

  await using mirror = await openSandbox({ db: mirrorDb })
  const recorded = await readJournal(mirror)
  const facts = recorded.map(({ note, status, text }) => ({ note, status, text }))
  expect(facts.toSorted(byNote)).toEqual(seen.toSorted(byNote))
  expect(recorded.find(({ note }) => note === 'unanswered')).toMatchObject({
    status: 502,
    upstreamError: 'connection closed before an answer came',
  })
  const errors = new Set(recorded.map(({ upstreamError }) => upstreamError?.replace(/,.*/, '')))
  expect(errors).toEqual(
    new Set([
      undefined,
      'its answer was cut off',
      'connection closed before an answer came',
      'connection refused',
    ]),
  )

  // Each link that the service created is in the journal, although some callers got only half of the answer.
  await using restarted = await openSandbox({ db })
  const { answer } = await restarted.control('GET', '/links?limit=1000')
  const created = answer.links.map(({ note }) => note)
  expect(created.length).toBeGreaterThan(CALLERS)
  expect(recorded.map(({ note }) => note)).toEqual(expect.arrayContaining(created))
})
