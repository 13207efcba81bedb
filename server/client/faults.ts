import type { FaultView } from '../contract/views.ts'
import type { FaultPoint } from '../domain/faults/fault.ts'
import type { Operation } from '../domain/api/operations.ts'
import type { Request } from './request.ts'

/** What is to go wrong. */
export interface FaultOptions {
  /** Calls of the API, webhooks, or redirects. */
  readonly on: FaultPoint
  /** At one occasion after another, like `500,500,200` or `['drop', 'duplicate:2']`. */
  readonly script: string | readonly string[]
  /** Only calls of this operation. */
  readonly operation?: Operation
  /** Only webhooks whose target begins like this. */
  readonly target?: string
  /** How often the script is gone through: once by default, always where a probability is given. */
  readonly times?: number | 'always'
  /** How likely an occasion is to be struck, from above 0 to 1, the default. */
  readonly probability?: number
  /** What chance is drawn from: with the same seed the same occasions are struck. */
  readonly seed?: number
}

/** What is asked to go wrong for one account, or for all of them. */
export interface Faults {
  /** Asks for something to go wrong from now on. */
  add(fault: FaultOptions): Promise<FaultView>
  list(): Promise<readonly FaultView[]>
  remove(fault: number | { readonly id: number }): Promise<void>
  /** Takes all of them away: the account's own, or every one that there is. */
  clear(): Promise<void>
}

export function createFaults(request: Request, account: string | undefined): Faults {
  const query = { account }
  return {
    add: (fault) => request('POST', '/faults', { query, body: fault }),
    list: async () => (await request<{ faults: readonly FaultView[] }>('GET', '/faults', { query })).faults,
    async remove(fault) {
      await request('DELETE', `/faults/${typeof fault === 'number' ? fault : fault.id}`)
    },
    async clear() {
      await request('DELETE', '/faults', { query })
    },
  }
}
