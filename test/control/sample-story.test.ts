import { expect } from 'vitest'
import { runLine } from '../support/cli.ts'
import { courier, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

test('the sample story has every kind of outcome, and each comes from a real request', async ({
  sandbox,
}) => {
  const { control } = sandbox
  const [{ status, answer }, second] = await Promise.all([
    control('POST', '/seed/sample-story', {}),
    control('POST', '/seed/sample-story', {}),
  ])
  expect([status, second.status]).toEqual([201, 409])
  expect(answer).toEqual({
    account: { id: shop.id, name: shop.name },
    payments: 10,
    snapshot: 'before-sample-story',
  })

  const { links } = (await control('GET', '/links?limit=100')).answer
  expect(links.map((link) => link.status).toReversed()).toEqual([
    'paid',
    'paid',
    'cancelled',
    'paid',
    'paid',
    'paid',
    'awaiting-transfer',
    'paid',
    'paid',
    'unused',
  ])
  const { events } = (await control('GET', '/events?limit=1000')).answer
  const attempts = events.filter((event) => event.type === 'delivery.attempted')
  expect(new Set(attempts.map(({ httpStatus }) => httpStatus))).toEqual(new Set([200, 302, 500]))
  expect(attempts.every(({ storedIn }) => storedIn?.startsWith('sample-'))).toBe(true)
  const types = ['checkout.viewed', 'delivery.held', 'refund.requested', 'dispute.opened', 'tunnel.captured']
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(types))
  const { diagnostics } = (await control('GET', '/diagnostics')).answer
  const codes = ['receiverRedirected', 'receiverRefused']
  expect(
    diagnostics
      .map(({ code }) => code)
      .filter((code) => code !== 'payIdEqualsId')
      .toSorted(),
  ).toEqual(codes)
  expect(sandbox.problems).toEqual([])
})

test('the sample story can be undone, and needs a sandbox without payments', async ({ sandbox }) => {
  const cli = (line: string) => runLine(line, { PAYLINK_URL: sandbox.url })
  const loaded = await cli(`sample --account "${courier.name}"`)
  expect(loaded).toMatchObject({ code: 0, stderr: '' })
  expect(loaded.stdout).toContain(`${courier.name} has 10 payments now.`)

  const again = await cli('sample')
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('needs a sandbox without payments, but this one has some')

  expect((await cli('snapshot restore before-sample-story')).code).toBe(0)
  expect((await sandbox.control('GET', '/links')).answer).toMatchObject({ links: [] })
  await cli('reset --to empty')
  expect((await cli('sample')).stderr).toContain('The sample story needs a development account.')
})

test('a sample story that a fault stops says what to do', async ({ sandbox }) => {
  await sandbox.control('POST', '/faults', { on: 'api', script: 'refuse:Closed' })
  const { status, answer } = await sandbox.rawControl('POST', '/seed/sample-story', {})
  expect(status).toBe(409)
  expect(answer.detail).toContain('The sample story stopped early: createSplitLink was refused: Closed')
})
