import { expect } from 'vitest'
import { metricTable } from '../../server/runtime/metric-table.ts'
import { Counter, Durations, writeMetrics } from '../../server/platform/system/metrics.ts'
import type { OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

/** The samples of a sandbox, by name and labels. */
async function metricsOf({ url }: OpenSandbox) {
  const response = await fetch(`${url}/_sandbox/metrics`)
  const text = await response.text()
  const samples = text
    .split('\n')
    .filter((line) => /^[a-z]/.test(line))
    .map((line) => line.split(/ (?=[^ ]+$)/) as [string, string])
  return { response, text, samples: new Map(samples.map(([name, value]) => [name, Number(value)])) }
}

test('calls, units of work, commits and webhooks are counted', async ({ sandbox, receiver }) => {
  const before = (await metricsOf(sandbox)).samples
  const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', `/links/${id}/pay`)
  await sandbox.call('createSplitLink', { amount: -1 })
  await sandbox.call('noSuchOperation', {})
  expect((await sandbox.control('POST', '/links/1/pay')).status).toBe(404)

  const { response, samples } = await metricsOf(sandbox)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const added = (name: string): number => (samples.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(added('paylink_calls_total{operation="createSplitLink",status="200"}')).toBe(2)
  expect(added('paylink_calls_total{operation="unknown",status="200"}')).toBe(1)
  expect(added('paylink_call_duration_seconds_count')).toBe(3)
  expect(added('paylink_webhook_attempts_total{result="accepted"}')).toBe(1)
  expect(added('paylink_webhook_attempt_duration_seconds_count')).toBe(1)
  expect(samples.get('paylink_deliveries{state="delivered"}')).toBe(1)
  expect(added('paylink_units_total{result="failed"}')).toBe(1)
  expect(added('paylink_units_total{result="committed"}')).toBeGreaterThanOrEqual(5)
  const transactions = added('paylink_transactions_total{result="committed"}')
  expect(transactions).toBeGreaterThan(0)
  expect(added('paylink_commit_duration_seconds_count')).toBe(transactions)
  expect(samples.get('paylink_leader')).toBe(1)
  expect(samples.get('paylink_database_up')).toBe(1)
  expect(samples.get('paylink_units_waiting')).toBe(0)
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
})

test('each attempt of a webhook is counted with one result', async ({ sandbox, receiver }) => {
  await sandbox.control('PATCH', '/behaviors', { retries: 'off' })
  for (const script of ['503', 'drop']) {
    await sandbox.control('POST', '/faults', { on: 'webhook', script })
    const { id } = await sandbox.createLink({ payment_endpoint: receiver.url })
    await sandbox.control('POST', `/links/${id}/pay`)
  }
  const { id } = await sandbox.createLink({ payment_endpoint: `${sandbox.url}/tunnel/shop` })
  await sandbox.control('POST', `/links/${id}/pay`)

  const { samples } = await metricsOf(sandbox)
  expect([...samples].filter(([name]) => name.startsWith('paylink_webhook_attempts_total'))).toEqual([
    ['paylink_webhook_attempts_total{result="accepted"}', 0],
    ['paylink_webhook_attempts_total{result="stored"}', 1],
    ['paylink_webhook_attempts_total{result="refused"}', 1],
    ['paylink_webhook_attempts_total{result="failed"}', 1],
  ])
})

test('each metric has a help text, a type and a name that follows the conventions', async ({ sandbox }) => {
  const { text } = await metricsOf(sandbox)
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!] as const)
  const missing = ['paylink_replica_followers', 'paylink_disk_free_bytes']
  expect(types.map(([name]) => name)).toEqual(
    expect.arrayContaining(Object.keys(metricTable).filter((name) => !missing.includes(name))),
  )
  expect([...text.matchAll(/^# HELP (\S+) \S.*\.$/gm)].map(([, name]) => name)).toEqual(
    types.map(([name]) => name),
  )
  for (const [name, type] of types) {
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    if (type === 'histogram') expect(name).toMatch(/_seconds$/)
  }
  const names = [...text.matchAll(/^([a-z_]+?)(?:_bucket|_sum|_count)?(?:\{.*\})? \S+$/gm)].map(
    ([, name]) => name!,
  )
  expect(names.filter((name) => !types.some(([known]) => known === name))).toEqual([])
})

test('each of two programs that read the metrics gets the longest pause of the event loop', async ({
  sandbox,
}) => {
  const lag = async (): Promise<number> =>
    (await metricsOf(sandbox)).samples.get('nodejs_eventloop_lag_max_seconds')!
  await lag()
  const until = performance.now() + 200
  while (performance.now() < until);
  // The observer notices the pause in the next turn of the event loop.
  await expect.poll(lag).toBeGreaterThan(0.1)
  expect(await lag()).toBeGreaterThan(0.1)
})

test('metrics escape texts, and each bucket counts every value up to its bound', () => {
  const counter = new Counter<'text'>()
  counter.add({ text: 'a "quote", a \\ and\na line' })
  counter.add({ text: 'a "quote", a \\ and\na line' }, 2)
  const durations = new Durations()
  for (const seconds of [0.001, 0.002, 60]) durations.add(seconds)

  const lines = writeMetrics([
    { name: 'a_total', help: 'A "help"\nwith \\.', type: 'counter', samples: counter.samples() },
    { name: 'b_seconds', help: 'B.', type: 'histogram', samples: durations.samples() },
  ]).split('\n')
  expect(lines.slice(0, 3)).toEqual([
    '# HELP a_total A "help"\\nwith \\\\.',
    '# TYPE a_total counter',
    'a_total{text="a \\"quote\\", a \\\\ and\\na line"} 3',
  ])
  expect(lines).toEqual(
    expect.arrayContaining([
      'b_seconds_bucket{le="0.001"} 1',
      'b_seconds_bucket{le="0.0025"} 2',
      'b_seconds_bucket{le="10"} 2',
      'b_seconds_bucket{le="+Inf"} 3',
      'b_seconds_sum 60.003',
      'b_seconds_count 3',
    ]),
  )
})
