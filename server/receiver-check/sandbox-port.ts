import type { Probe, CheckedOrder } from '../contract/check.ts'
import type { CaseWebhook } from './write-webhook.ts'

/** Whether nobody was there to answer. */
export const isUnreachable = ({ error }: Pick<Probe, 'error'>): boolean =>
  error !== null && /^(connection refused|host .* is unknown|.*EHOSTUNREACH)/.test(error)

/** What the battery needs of a sandbox. */
export interface SandboxPort {
  /** Posts a webhook by the sandbox's guard, and records nothing of a payment. */
  post(to: string, webhook: CaseWebhook): Promise<Probe>
  /** Why the sandbox would send nothing to an address. `null` where it would. */
  heldReason(url: string, by: 'webhook' | 'visit'): Promise<string | null>
  /** Makes a link on an account of the battery's own. */
  createLink(wish: { readonly amount: number; readonly note: string }): Promise<CheckedOrder>
  /** The last event there is, to wait for what follows. */
  newestSeq(): Promise<number>
  /** The link that was created after an event, of one account or of any. `undefined` where none is in time. */
  waitForLink(seq: number, account: string | undefined, timeoutMs: number): Promise<CheckedOrder | undefined>
  /** The link that something names: its pay link, or anything else that names one. */
  link(ref: string | number): Promise<CheckedOrder>
  /** Gives the links of an account a `pay_id` that is not their `id`. Gives what takes that back. */
  distinguishPayIds(account: string | undefined): Promise<() => Promise<void>>
}
