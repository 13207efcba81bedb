import { expect } from 'vitest'
import { endpoints } from '../../server/service/api/endpoints/all-endpoints.ts'
import type { RunReport } from '../../server/domain/events/run-report.ts'
import { startSandbox } from '../../server/package/index.ts'
import { NOON, openSandbox, recipients, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const runOf = async (sandbox: Pick<OpenSandbox, 'control'>): Promise<RunReport> =>
  (await sandbox.control('GET', '/info')).answer.run

/** The counters that are above zero. */
const aboveZero = ({ openPoints, operations, documentedErrors: errors, outcomes }: RunReport) => ({
  openPoints: openPoints.map(({ name }) => name).toSorted(),
  operations: operations.flatMap(({ name, count }) => (count > 0 ? `${name} ${count}` : [])),
  documentedErrors: errors.flatMap(({ operation, message, count }) =>
    count > 0 ? `${operation}: ${message} ${count}` : [],
  ),
  outcomes: outcomes.flatMap(({ name, count }) => (count > 0 ? `${name} ${count}` : [])),
})

const NOTHING = { openPoints: [], operations: [], documentedErrors: [], outcomes: [] }

test('a new run depends on no assumption, and counts 0 for everything', async () => {
  await using sandbox = await openSandbox({ now: () => new Date(NOON) })
  const run = await runOf(sandbox)
  expect(aboveZero(run)).toEqual(NOTHING)
  expect(run.since).toBe(NOON)
  expect(run.operations.map(({ name }) => name)).toEqual([...endpoints.keys()])
  expect(run.documentedErrors).toContainEqual({
    operation: 'refundPayment',
    code: 'refundDisputed',
    message: 'Refund blocked by dispute',
    count: 0,
  })
  expect(run.outcomes).toContainEqual({
    name: 'browserClosed',
    text: 'a browser that was closed before the redirect',
    count: 0,
  })
})

test('a repeated or forged webhook that a tunnel stores does not count as an outcome, because no app has seen it', async ({
  receiver,
  sandbox,
}) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/links/1001/pay')

  await sandbox.control('POST', '/deliveries/1/replay')
  await sandbox.control('POST', '/links/1001/forged-webhook')
  expect((await runOf(sandbox)).outcomes.filter(({ count }) => count > 0)).toMatchObject([
    { name: 'paidByCard' },
  ])
  await sandbox.control('POST', '/deliveries/1/replay', { to: receiver.url })

  expect((await runOf(sandbox)).outcomes.filter(({ count }) => count > 0)).toMatchObject([
    { name: 'paidByCard' },
    { name: 'webhookRepeated' },
  ])
})

test('the run lists the assumptions it depends on, with the text of the reference', async ({
  receiver,
  sandbox,
}) => {
  const link = await sandbox.createLink({ payment_endpoint: receiver.url })
  await sandbox.control('POST', `/links/${link.id}/pay`, {})

  const run = await runOf(sandbox)
  expect(aboveZero(run)).toMatchObject({
    openPoints: expect.arrayContaining(['payId', 'webhookEncoding', 'statusText', 'amountText']),
    operations: ['createSplitLink 1'],
    outcomes: ['paidByCard 1'],
  })
  expect(run.openPoints).toContainEqual({
    name: 'payId',
    count: expect.any(Number),
    reference: expect.stringContaining('A payment has a pay_id'),
    assumption: expect.stringContaining('id counts from 1001'),
  })
})

test('an error counts for its operation, even if its message contains other numbers', async ({ sandbox }) => {
  const wrong = [...recipients, { token: 'nobody', share: 1 }]
  await sandbox.call('createSplitLink', { amount: 7, recipients: wrong })
  await sandbox.call('refundPayment', { pay_id: 1, refund_amount: 1 })
  await sandbox.call('refundPayment', { pay_id: 2, refund_amount: 1 })
  await sandbox.call('createLink', { amount: -1 })
  await sandbox.call('createLnk', {})

  expect(aboveZero(await runOf(sandbox))).toMatchObject({
    operations: ['createSplitLink 1', 'createLink 1', 'refundPayment 2'],
    documentedErrors: [
      'createSplitLink: Invalid recipient token at index 0 1',
      'refundPayment: Invalid link ID 2',
    ],
  })
})

test('every outcome is counted when it happens', async ({ receiver }) => {
  await using sandbox = await openSandbox({ behaviors: { payId: 'distinct', cancelWebhook: 'skip' } })
  const { control } = sandbox
  const make = async () => {
    const { envelope } = await sandbox.call<{ id: number }>('createLink', {
      amount: 5,
      bank_transfer: true,
      callback_url: 'http://127.0.0.1:3000/thanks',
      payment_endpoint: receiver.url,
    })
    const { id } = envelope.data
    return { id, pay: id + 699_000 }
  }
  const refund = async (decision: 'approve' | 'reject') => {
    const { id, pay } = await make()
    await control('POST', `/links/${id}/pay`, {})
    await sandbox.call('refundPayment', { pay_id: pay, refund_amount: 5, isFullRefund: true })
    await control('POST', `/refunds/${pay}/${decision}`)
    return id
  }
  const first = await refund('approve')
  const second = await refund('reject')
  for (const [id, outcome] of [
    [first, 'won'],
    [second, 'lost'],
  ] as const) {
    await control('PUT', `/links/${id}/dispute`)
    await control('DELETE', `/links/${id}/dispute?outcome=${outcome}`)
  }
  const closed = await make()
  await control('POST', `/links/${closed.id}/pay`, { browser: 'closes' })
  await control('POST', '/deliveries/1/replay', {})
  await control('POST', '/deliveries/1/replay', { to: 'http://127.0.0.1:9/' })
  for (const decision of ['approve-transfer', 'reject-transfer'] as const) {
    const { id } = await make()
    await control('POST', `/links/${id}/pay`, { method: 'bank-transfer' })
    await control('POST', `/links/${id}/${decision}`)
  }
  await control('POST', `/links/${(await make()).id}/cancel`, {})
  await control('POST', `/links/${(await make()).id}/decline`)
  await control('DELETE', `/links/${(await make()).id}`)

  await control('POST', `/links/${first}/forged-webhook`, {})
  await control('POST', '/faults', { on: 'api', script: ['latency:1ms'] })
  await sandbox.call('getTaxInvoiceList', {})

  const run = await runOf(sandbox)
  expect(run.outcomes.filter(({ count }) => count === 0)).toEqual([])
  expect(run.openPoints.map(({ name }) => name)).toContain('cancelWebhook')
})

test('seeding counts nothing, neither at startup nor at a reset', async () => {
  const seededLink = { account: 'Flower Shop', amount: 5, status: 'paid' as const }
  await using sandbox = await openSandbox({
    seed: {
      accounts: [{ ...shop, environment: 'development' }],
      links: [seededLink, { ...seededLink, amount: 6 }],
    },
  })
  expect(aboveZero(await runOf(sandbox))).toEqual(NOTHING)

  await sandbox.call('createLink', { amount: 1 })
  await sandbox.control('POST', '/reset', {})
  expect(aboveZero(await runOf(sandbox))).toMatchObject({ operations: ['createLink 1'], outcomes: [] })
})

test('neither a reset nor a restored snapshot changes the counts', async ({ sandbox }) => {
  await sandbox.createLink()
  await sandbox.control('POST', '/snapshots', { name: 'before' })
  await sandbox.control('POST', '/reset', { to: 'empty' })
  await sandbox.control('POST', '/snapshots/before/restore')
  expect(aboveZero(await runOf(sandbox)).operations).toEqual(['createSplitLink 1'])
})

test('the handle returns the info of the sandbox', async () => {
  await using sandbox = await startSandbox()
  const account = await sandbox.createAccount()
  await account.createLink({ amount: 1 })
  const { behaviors, counts, run } = await sandbox.info()
  expect([behaviors.payId, counts.links, run.operations.find(({ count }) => count > 0)]).toEqual([
    'same',
    1,
    { name: 'createLink', count: 1 },
  ])
})
