import type { SandboxPort } from '../receiver-check/sandbox-port.ts'
import type { Probe } from '../contract/check.ts'
import { CheckProblem } from '../receiver-check/check-error.ts'
import type { EventView, LinkView } from '../contract/views.ts'
import type { EventOf } from '../domain/events/event.ts'
import type { AccountOptions, SandboxAccount } from './account.ts'
import type { Payments } from './payments.ts'
import { SandboxError, type Request } from './request.ts'

interface Parts {
  readonly request: Request
  readonly payments: Payments
  readonly createAccount: (options: AccountOptions) => Promise<SandboxAccount>
}

/** Nothing is ever delivered for its links. That they have a target at all spares everybody a finding for each. */
const OWN_ACCOUNT: AccountOptions = { name: 'Receiver check', paymentEndpoint: '/tunnel/receiver-check' }

/** What a check needs of a sandbox, by its control API, and an account that its own links are of until it is closed. */
export function createBench({ request, payments, createAccount }: Parts) {
  let own: Promise<SandboxAccount> | undefined
  const account = (): Promise<SandboxAccount> => (own ??= createAccount(OWN_ACCOUNT))

  const bench: SandboxPort = {
    post: (to, webhook) =>
      attempt(`Posting to ${to}`, UNDISTURBED, () =>
        request<Probe>('POST', '/checks/probe', { body: { to, ...webhook } }),
      ),
    heldReason: (url, by) =>
      attempt(`Asking whether a check may go to ${url}`, UNDISTURBED, async () => {
        const query = { url, mapped: String(by === 'webhook') }
        return (await request<{ heldReason: string | null }>('GET', '/checks/reach', { query })).heldReason
      }),
    createLink: ({ amount, note }) =>
      attempt('Making a link of its own', UNSTRUCK, async () =>
        (await account()).createLink({ amount, note }),
      ),
    head: () =>
      attempt('Reading where the journal ends', UNDISTURBED, async () => {
        return (await request<{ journal: { head: number } }>('GET', '/info')).journal.head
      }),
    linkAfter: (seq, ofAccount, timeoutMs) =>
      attempt('Waiting for the link of an order', UNDISTURBED, async () => {
        const made = await linkAfter(request, seq, ofAccount, timeoutMs)
        // As it is now: where maps lead is no part of the event.
        return made && payments.link(made.id)
      }),
    link: (ref) =>
      attempt(
        `Looking for the link ${ref}`,
        'Point the app at this sandbox, and give a link of its own.',
        () => payments.link(ref),
      ),
    distinguishPayIds: (ofAccount) =>
      attempt('Having pay_ids differ from ids', UNDISTURBED, async () => {
        const query = { account: ofAccount ?? (await account()).id }
        const { id } = await request<{ id: string }>('POST', '/checks/pay-ids', { query })
        return () =>
          attempt('Giving the account back its behavior payId', UNDISTURBED, () =>
            request<void>('DELETE', `/checks/pay-ids/${id}`, { query }),
          )
      }),
  }
  return {
    ...bench,
    /** Removes the account that was made for this. */
    async close(): Promise<void> {
      const made = await own?.catch(() => undefined)
      if (made === undefined) return
      await attempt('Removing the account of the check', `Remove ${made.id} yourself.`, () =>
        unlessGone(made.delete()),
      )
    },
  }
}

const UNDISTURBED = 'Leave the sandbox running, and reset nothing before the check has ended.'

const UNSTRUCK =
  "Take away faults and a rateLimit that hold for every account, as they strike the check's own calls too, and reset nothing before the check has ended."

async function attempt<Answer>(what: string, advice: string, go: () => Promise<Answer>): Promise<Answer> {
  try {
    return await go()
  } catch (error) {
    if (error instanceof CheckProblem) throw error
    throw new CheckProblem(`The check ended early. ${what} failed: ${reasonOf(error)}. ${advice}`)
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')

/** A reset in the middle of a check takes the account with it. */
async function unlessGone(asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof SandboxError && error.status === 404)) throw error
  }
}

async function linkAfter(
  request: Request,
  after: number,
  account: string | undefined,
  timeoutMs: number,
): Promise<LinkView | undefined> {
  const body = {
    match: { type: 'link.created' },
    after,
    timeoutMs,
    ...(account === undefined ? {} : { account }),
  }
  type Created = EventOf<'link.created', EventView>
  try {
    const { events } = await request<{ events: Created[] }>('POST', '/events/wait', { body })
    return events[0]?.link
  } catch (error) {
    if (error instanceof SandboxError && error.status === 408) return undefined
    throw error
  }
}
