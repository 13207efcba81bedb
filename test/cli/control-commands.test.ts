import { expect } from 'vitest'
import { commandGroups, commands } from '../../server/cli/command-table.ts'
import { runLine } from '../support/cli.ts'
import { courier, openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const cli = (url: string, line: string) => runLine(line, { PAYLINK_URL: url })

test('help: every command is in one group', () => {
  expect(Object.values(commandGroups).flat().toSorted()).toEqual(Object.keys(commands).toSorted())
})

test('decline: declines the card, and the link can still be paid', async ({ sandbox }) => {
  const { id } = await sandbox.createLink()

  const declined = await cli(sandbox.url, `decline ${id}`)
  expect(declined).toMatchObject({ code: 0, stderr: '' })
  expect(declined.stdout).toBe(
    `The bank declined the card for link ${id}: €100.00. The link can still be paid.\n`,
  )

  expect((await cli(sandbox.url, `pay ${id} --no-wait`)).code).toBe(0)
  expect(await cli(sandbox.url, `decline ${id}`)).toMatchObject({ code: 1, stdout: '' })
})

test('refund: lists requests and decides them', async ({ sandbox }) => {
  const { id } = await sandbox.createLink()
  expect((await cli(sandbox.url, 'refund')).stdout).toBe('No refund was requested\n')
  await cli(sandbox.url, `pay ${id} --no-wait`)
  await sandbox.call('refundPayment', { pay_id: id, refund_amount: 40 })

  expect((await cli(sandbox.url, 'refund list')).stdout).toBe(`Refund of €40.00 for pay ${id}: pending\n`)
  expect((await cli(sandbox.url, `refund approve ${id}`)).stdout).toBe(
    `Refund of €40.00 for pay ${id}: approved\n`,
  )
  const again = await cli(sandbox.url, `refund reject ${id}`)
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toContain('already approved')
  expect(JSON.parse((await cli(sandbox.url, 'refund --json')).stdout)).toMatchObject([{ state: 'approved' }])
})

test('accounts: lists keys and creates an account', async ({ sandbox }) => {
  const listed = await cli(sandbox.url, 'accounts')
  expect(listed.stdout).toContain(shop.apiKey)
  expect(listed.stdout).toContain(courier.recipientToken)

  const created = JSON.parse((await cli(sandbox.url, 'accounts create "Market stall" --json')).stdout)
  expect(created).toMatchObject({ name: 'Market stall', environment: 'development' })
  expect((await cli(sandbox.url, 'create --amount 5 --account "Market stall"')).code).toBe(0)
})

test('clock: shows, advances, freezes, sets and releases the time', async () => {
  await using sandbox = await openSandbox({ clock: '2026-01-31T12:00:00Z' })
  expect((await cli(sandbox.url, 'clock')).stdout).toMatch(/^2026-01-31 12:00:\d\d UTC, running\n$/)
  expect((await cli(sandbox.url, 'clock freeze 2026-01-31T12:00:00Z')).stdout).toBe(
    '2026-01-31 12:00:00 UTC, frozen\n',
  )
  expect((await cli(sandbox.url, 'clock advance 1h30m')).stdout).toBe('2026-01-31 13:30:00 UTC, frozen\n')
  expect((await cli(sandbox.url, 'clock advance 1mo')).stdout).toContain('2026-02-28 13:30:00 UTC, frozen\n')

  // This account has no invoices in the seed.
  await cli(sandbox.url, 'create --amount 5 --account "Market Hall"')
  await cli(sandbox.url, 'pay 1001 --no-wait')
  expect((await cli(sandbox.url, 'clock advance next-month')).stdout).toBe(
    '2026-02-28 23:00:00 UTC, frozen\n1 invoice issued\n',
  )
  expect((await cli(sandbox.url, 'clock set 2027-05-01T00:00:00Z')).stdout).toContain(
    '2027-05-01 00:00:00 UTC',
  )
  expect((await cli(sandbox.url, 'clock resume')).stdout).toContain('running')
  expect((await cli(sandbox.url, 'clock real')).code).toBe(0)

  expect(await cli(sandbox.url, 'clock advance soon')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'clock advance cannot use soon. It must be a span like 90s, 1h30m, 2d or 1mo, or next-month.\n',
  })
})

test('faults: adds, lists and removes faults', async ({ sandbox }) => {
  expect((await cli(sandbox.url, 'faults')).stdout).toBe('There are no faults\n')
  const added = await cli(
    sandbox.url,
    `faults add api 500,reset --operation createSplitLink --account "Flower Shop"`,
  )
  expect(added.stdout).toBe('Fault 1  api  500,reset  not triggered yet\n')
  await cli(sandbox.url, 'faults add webhook drop --times always')
  expect((await cli(sandbox.url, 'faults')).stdout.split('\n')).toHaveLength(3)
  expect((await cli(sandbox.url, 'faults remove 1')).stdout).toBe('Fault 1 was removed\n')
  expect((await cli(sandbox.url, 'faults clear')).code).toBe(0)
  expect((await cli(sandbox.url, 'faults')).stdout).toBe('There are no faults\n')
  for (const line of [
    'faults add api',
    'faults add webhok drop',
    'faults add api 500 --probability 2',
    'faults add api nonsense',
  ])
    expect({ line, ...(await cli(sandbox.url, line)) }).toMatchObject({ line, code: 2, stdout: '' })
})

test('snapshot: takes and restores a state by name', async ({ sandbox }) => {
  expect((await cli(sandbox.url, 'snapshot')).stdout).toBe('No snapshot was taken\n')
  expect((await cli(sandbox.url, 'snapshot take base')).stdout).toBe('Snapshot base was taken\n')
  expect((await cli(sandbox.url, 'snapshot take base')).code).toBe(1)
  expect((await cli(sandbox.url, 'snapshot take base --replace')).code).toBe(0)
  await sandbox.createLink()
  expect((await cli(sandbox.url, 'snapshot restore base')).stdout).toBe('Snapshot base was restored\n')
  expect((await cli(sandbox.url, 'snapshot list')).stdout).toMatch(/^base {2}\S+ \S+ UTC {2}[\d,]+ KiB\n$/)
  expect((await sandbox.control<{ links: unknown[] }>('GET', '/links')).answer.links).toEqual([])
})

test.for([
  [
    'snapshot tak base',
    'snapshot has no action tak. Did you mean take? Its actions are list, take, restore.',
  ],
  ['faults add webhok drop', '<on> is webhok. Did you mean webhook? It must be api or webhook or redirect.'],
  ['faults remove first', '<id> is first. It must be a whole number from 1.'],
  ['snapshot take', 'snapshot take requires <name>. Write paylink-sandbox snapshot take <name>'],
  ['refund list 1001', 'refund list does not take 1001.'],
] as const)('%s: is a usage error that says what to write', async ([line, message], { sandbox }) => {
  const { code, stderr } = await cli(sandbox.url, line)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})
