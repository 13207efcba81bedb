import { expect, test } from 'vitest'
import { createLinkFor, createAccount, type CreatedAccount } from '../support/account.ts'
import { startReceiver, type Received } from '../support/receiver.ts'
import { openSandbox, type OpenSandbox } from '../support/sandbox.ts'
import { sized } from '../support/size.ts'

const COUNT = sized({ full: 50, small: 10 })

const NAMES = Array.from({ length: COUNT }, (_, index) => `test ${index + 1}`)

/** The sequence is the same in every run, but differs from that of the input. */
const shuffled = (names: readonly string[]): string[] =>
  names.toSorted((one, other) => hash(one) - hash(other))

const hash = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)

/** The test of a shop with its own account. Returns what the shop received. */
async function runShopTest(sandbox: OpenSandbox, account: CreatedAccount) {
  const { call, control } = sandbox
  const scope = { account: account.id, timeoutMs: 60_000 }
  const links = [await createLinkFor(sandbox, account), await createLinkFor(sandbox, account)]
  const [paid, cancelled] = links as [(typeof links)[0], (typeof links)[0]]
  const waiting = control('POST', '/events/wait', {
    match: { type: 'delivery.attempted', state: 'delivered' },
    count: 2,
    ...scope,
  })
  const outcome = await control('POST', `/links/${paid.id}/pay`, { wait: 'accepted' })
  await control('POST', `/links/${cancelled.id}/cancel`, { wait: 'accepted' })
  const refund = await call(
    'refundPayment',
    { pay_id: outcome.answer.link.payId, refund_amount: 100, isFullRefund: true },
    { token: account.apiKey },
  )
  const none = await control('POST', '/events/expect-none', {
    match: { type: 'delivery.attempted', state: 'failed' },
    ...scope,
  })
  const settled = await control('POST', '/settle', scope)
  return {
    id: account.id,
    links: links.map(({ id }) => id),
    refund: refund.envelope.ResponseCode,
    delivered: (await waiting).answer.events.length,
    none: none.status,
    settled: settled.answer,
  }
}

/** Runs the story of every account, resets it and runs the story again, all at the same time. */
async function run(names: readonly string[]) {
  await using receiver = await startReceiver()
  // These are limits, not waits: fifty stories in one process take long on a busy machine.
  await using sandbox = await openSandbox({ deliveryTimeoutMs: 60_000 })
  const stories = await Promise.all(
    names.map(async (name) => {
      const paymentEndpoint = `${receiver.origin}/${encodeURIComponent(name)}`
      const account = await createAccount(sandbox, { name, paymentEndpoint })
      const first = await runShopTest(sandbox, account)
      const { answer } = await sandbox.control('POST', `/accounts/${account.id}/reset`)
      expect(answer).toEqual(account)
      expect(await runShopTest(sandbox, account)).toEqual(first)
      const { events } = (await sandbox.control('GET', `/events?account=${account.id}`)).answer
      expect(new Set(events.map(({ accountId }) => accountId))).toEqual(new Set([account.id]))
      expect(events[0]!.type).toBe('account.reset')
      // Durations depend on the machine, so they are left out.
      const told = events
        .filter((event) => !('code' in event && event.code === 'receiverSlow'))
        .map(({ type }) => type)
      return [name, { ...first, events: told.toSorted() }] as const
    }),
  )
  await sandbox.settled()
  expect(sandbox.problems).toEqual([])
  return { stories: new Map(stories), received: receiver.received }
}

/** The account that a webhook was sent to, from its path, and the account it belongs to, from its body. */
const accountsOf = ({ path, pairs }: Received) => [decodeURIComponent(path.slice(1)), pairs['data[user_id]']]

test(`${COUNT} simultaneous tests each get the same ids in every run, and see nothing of each other`, async () => {
  const one = await run(NAMES)
  const other = await run(shuffled(NAMES))

  expect(other.stories).toEqual(one.stories)
  const ids = [...one.stories.values()].flatMap(({ id, links }) => [id, ...links])
  expect(new Set(ids).size).toBe(3 * COUNT)
  for (const [name, told] of one.stories) {
    expect([name, told]).toMatchObject([
      name,
      {
        links: [told.links[0]!, told.links[0]! + 1],
        refund: 1,
        delivered: 2,
        none: 200,
        settled: { deliveries: 2, delivered: 2, failed: 0, held: 0 },
      },
    ])
  }
  expect(one.received).toHaveLength(4 * COUNT)
  for (const [name, owner] of one.received.map(accountsOf)) expect(owner).toBe(one.stories.get(name!)!.id)
})
