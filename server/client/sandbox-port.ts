import type { SandboxPort } from '../receiver-check/sandbox-port.ts'
import type { Probe } from '../contract/check.ts'
import { CheckError } from '../receiver-check/check-error.ts'
import type { EventView, LinkView } from '../contract/views.ts'
import type { EventOf } from '../domain/events/event.ts'
import type { AccountOptions, SandboxAccount } from './account.ts'
import type { Payments } from './payments.ts'
import { SandboxError, type Request } from './request.ts'

interface Dependencies {
  readonly request: Request
  readonly payments: Payments
  readonly createAccount: (options: AccountOptions) => Promise<SandboxAccount>
}

/** Nothing is ever delivered for its links. That they have a target at all spares everybody a finding for each. */
const CHECK_ACCOUNT: AccountOptions = { name: 'Receiver check', paymentEndpoint: '/tunnel/receiver-check' }

/** What a check needs of a sandbox, by its control API, and an account that its own links are of until it is closed. */
export function createSandboxPort({ request, payments, createAccount }: Dependencies) {
  let own: Promise<SandboxAccount> | undefined
  const account = (): Promise<SandboxAccount> => (own ??= createAccount(CHECK_ACCOUNT))

  const port: SandboxPort = {
    post: (to, webhook) =>
      orCheckError(`Posting to ${to}`, KEEP_RUNNING, () =>
        request<Probe>('POST', '/checks/probe', { body: { to, ...webhook } }),
      ),
    heldReason: (url, by) =>
      orCheckError(`Asking whether a check may go to ${url}`, KEEP_RUNNING, async () => {
        const query = { url, mapped: String(by === 'webhook') }
        return (await request<{ heldReason: string | null }>('GET', '/checks/reach', { query })).heldReason
      }),
    createLink: ({ amount, note }) =>
      orCheckError('Making a link of its own', REMOVE_FAULTS, async () =>
        (await account()).createLink({ amount, note }),
      ),
    newestSeq: () =>
      orCheckError('Reading where the journal ends', KEEP_RUNNING, async () => {
        return (await request<{ journal: { head: number } }>('GET', '/info')).journal.head
      }),
    waitForLink: (seq, ofAccount, timeoutMs) =>
      orCheckError('Waiting for the link of an order', KEEP_RUNNING, async () => {
        const made = await waitForLink(request, seq, ofAccount, timeoutMs)
        // As it is now: where maps lead is no part of the event.
        return made && payments.link(made.id)
      }),
    link: (ref) =>
      orCheckError(
        `Looking for the link ${ref}`,
        'Point the app at this sandbox, and give a link of its own.',
        () => payments.link(ref),
      ),
    distinguishPayIds: (ofAccount) =>
      orCheckError('Having pay_ids differ from ids', KEEP_RUNNING, async () => {
        const query = { account: ofAccount ?? (await account()).id }
        const { id } = await request<{ id: string }>('POST', '/checks/pay-ids', { query })
        return () =>
          orCheckError('Giving the account back its behavior payId', KEEP_RUNNING, () =>
            request<void>('DELETE', `/checks/pay-ids/${id}`, { query }),
          )
      }),
  }
  return {
    ...port,
    /** Removes the account that was made for this. */
    async close(): Promise<void> {
      const made = await own?.catch(() => undefined)
      if (made === undefined) return
      await orCheckError('Removing the account of the check', `Remove ${made.id} yourself.`, () =>
        ignoreNotFound(made.delete()),
      )
    },
  }
}

const KEEP_RUNNING = 'Leave the sandbox running, and reset nothing before the check has ended.'

const REMOVE_FAULTS =
  "Take away faults and a rateLimit that hold for every account, as they strike the check's own calls too, and reset nothing before the check has ended."

async function orCheckError<Answer>(
  what: string,
  advice: string,
  go: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await go()
  } catch (error) {
    if (error instanceof CheckError) throw error
    throw new CheckError(`The check ended early. ${what} failed: ${reasonOf(error)}. ${advice}`)
  }
}

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')

/** A reset in the middle of a check takes the account with it. */
async function ignoreNotFound(asked: Promise<unknown>): Promise<void> {
  try {
    await asked
  } catch (error) {
    if (!(error instanceof SandboxError && error.status === 404)) throw error
  }
}

async function waitForLink(
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
