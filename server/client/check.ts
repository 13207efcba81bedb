import type { Bench, Probe } from '../check/bench.ts'
import type { ShownEvent, ShownLink } from '../control/present.ts'
import type { EventOf } from '../domain/events.ts'
import type { AccountOptions, SandboxAccount } from './account.ts'
import type { Payments } from './payments.ts'
import { SandboxError, type Request } from './request.ts'

interface Behavior {
  readonly name: string
  readonly value: string
  readonly chosen: boolean
}

interface Parts {
  readonly request: Request
  readonly payments: Payments
  readonly createAccount: (options: AccountOptions) => Promise<SandboxAccount>
}

/** What a check needs of a sandbox, by its control API, and an account that its own links are of until it is closed. */
export function createBench({ request, payments, createAccount }: Parts) {
  let own: Promise<SandboxAccount> | undefined
  const account = (): Promise<SandboxAccount> => (own ??= createAccount({ name: 'Receiver check' }))

  const bench: Bench = {
    post: (to, webhook) => request<Probe>('POST', '/checks/probe', { body: { to, ...webhook } }),
    async heldBecause(url) {
      const query = { url }
      return (await request<{ heldBecause: string | null }>('GET', '/checks/reach', { query })).heldBecause
    },
    async createLink({ amount, note }) {
      const { id } = await (await account()).createLink({ amount, recipient_note: note })
      return payments.link(id)
    },
    async head() {
      return (await request<{ journal: { head: number } }>('GET', '/info')).journal.head
    },
    linkAfter: (seq, ofAccount, timeoutMs) => linkAfter(request, seq, ofAccount, timeoutMs),
    link: (ref) => payments.link(ref),
    async distinguishPayIds(ofAccount) {
      const query = { account: ofAccount ?? (await account()).id }
      const { behaviors } = await request<{ behaviors: Behavior[] }>('GET', '/behaviors', { query })
      const before = behaviors.find(({ name }) => name === 'payId')
      await request('PATCH', '/behaviors', { query, body: { payId: 'distinct' } })
      return async () => {
        const payId = before?.chosen ? before.value : null
        await request('PATCH', '/behaviors', { query, body: { payId } })
      }
    },
  }
  return {
    ...bench,
    /** Removes the account that was made for this. */
    async close(): Promise<void> {
      await (await own)?.delete()
    },
  }
}

async function linkAfter(
  request: Request,
  after: number,
  account: string | undefined,
  timeoutMs: number,
): Promise<ShownLink | undefined> {
  const body = {
    match: { type: 'link.created' },
    after,
    timeoutMs,
    ...(account === undefined ? {} : { account }),
  }
  type Created = EventOf<'link.created', ShownEvent>
  try {
    const { events } = await request<{ events: Created[] }>('POST', '/events/wait', { body })
    return events[0]?.link
  } catch (error) {
    if (error instanceof SandboxError && error.status === 408) return undefined
    throw error
  }
}
