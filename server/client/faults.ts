import type { FaultView } from '../contract/views.ts'
import type { FaultPoint } from '../domain/faults/fault.ts'
import type { Operation } from '../domain/api/operations.ts'
import type { Request } from './request.ts'

export interface FaultOptions {
  /** What should fail: `api` calls, `webhook`s or `redirect`s. */
  readonly on: FaultPoint
  /** The effects on the next calls, webhooks or redirects, one for each: `'500,500,200'` or `['drop', 'duplicate:2']`. */
  readonly script: string | readonly string[]
  /** Affects only calls of this operation. */
  readonly operation?: Operation
  /** Affects only webhooks whose target starts with this text. */
  readonly target?: string
  /** How many times the script runs. Default: once, or `'always'` if `probability` is set. */
  readonly times?: number | 'always'
  /** The probability that a step has its effect: greater than 0, and at most 1 (the default). */
  readonly probability?: number
  /** The seed of the random choices. With the same seed, they are the same. */
  readonly seed?: number
}

/** The faults of one account, or of all accounts. */
export interface Faults {
  /** Enables a fault. Throws `SandboxError` if its script is invalid. */
  add(fault: FaultOptions): Promise<FaultView>
  list(): Promise<readonly FaultView[]>
  remove(fault: number | { readonly id: number }): Promise<void>
  /** Removes all faults of the account. On the handle of the sandbox, removes all faults. */
  clear(): Promise<void>
}

/** @internal */
export function createFaults(request: Request, account: string | undefined): Faults {
  const query = { account }
  return {
    add: (fault) => request('POST /faults', { query, json: fault }),
    list: async () => (await request('GET /faults', { query })).faults,
    async remove(fault) {
      await request('DELETE /faults/:id', { param: { id: typeof fault === 'number' ? fault : fault.id } })
    },
    async clear() {
      await request('DELETE /faults', { query })
    },
  }
}
