import type { BehaviorSettings } from '../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../domain/behaviors/open-points.ts'
import type { Request } from './request.ts'

/** Values for behaviors, by name. `null` restores the default. */
export type BehaviorChanges = { readonly [Name in BehaviorName]?: BehaviorSettings[Name] | null }

/** The behaviors of one account, or of the whole sandbox. */
export interface Behaviors {
  /** Returns the current value of every behavior. */
  read(): Promise<BehaviorSettings>
  /** Changes behaviors and returns the current value of every behavior. Throws `SandboxError` for an unknown value. */
  set(changes: BehaviorChanges): Promise<BehaviorSettings>
}

interface BehaviorList {
  readonly behaviors: readonly { readonly name: string; readonly value: string }[]
}

/** @internal */
export function createBehaviors(request: Request, account: string | undefined): Behaviors {
  const query = { account }
  return {
    read: async () => toSettings(await request('GET /behaviors', { query })),
    set: async (changes) => toSettings(await request('PATCH /behaviors', { query, json: changes })),
  }
}

const toSettings = ({ behaviors }: BehaviorList): BehaviorSettings =>
  Object.fromEntries(behaviors.map(({ name, value }) => [name, value])) as unknown as BehaviorSettings
