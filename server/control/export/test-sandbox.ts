import { defaultOption } from '../../domain/behaviors/behavior.ts'
import type { BehaviorName } from '../../domain/behaviors/open-points.ts'
import type { Instant } from '../../domain/time/berlin-time.ts'
import type { TestSandbox } from '../../verify/failure-tests/failure-test.ts'
import * as behaviors from '../../store/repositories/behaviors.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'
import { accountSeed, clockSeed, exportedAccounts } from './export-seed.ts'

interface TestSandboxOptions {
  readonly url: string
  /** The account of the app, listed first. If `null`, the test starts without accounts. */
  readonly accountId: string | null
  /** The time when the test begins. By default, the current time of the sandbox's clock. */
  readonly at?: Instant
}

/** What a test needs to start a sandbox like this one: accounts, behaviors, clock and egress rules. */
export async function testSandbox(
  work: UnitOfWork,
  { url, accountId, at }: TestSandboxOptions,
): Promise<TestSandbox> {
  const { db, clock } = work
  const exported = accountId === null ? [] : await exportedAccounts(db, accountId)
  const own = exported.filter(({ id }) => id === accountId)
  const otherAccounts = exported.filter(({ id }) => id !== accountId)
  const settings = Object.entries(await behaviors.settings(db)) as [BehaviorName, string][]
  const chosen = settings.filter(([name, value]) => value !== defaultOption(name))
  const ofAccounts = await behaviors.listByScope(db)
  const isSystemClock = clock.mode === 'running' && clock.offsetMs === 0
  const { maps, allowedHosts } = await egressRules.read(db)
  return {
    url: accountId === null ? null : url,
    maps,
    allowedHosts,
    seed: {
      ...(own.length > 0 && {
        accounts: [...own, ...otherAccounts].map((account) => {
          const { billing: _billing, ...rest } = accountSeed(account, ofAccounts.get(account.id))
          return rest
        }),
      }),
      ...(chosen.length > 0 && { behaviors: Object.fromEntries(chosen) }),
      ...(at !== undefined && clock.mode === 'frozen'
        ? { clock: { mode: clock.mode, now: at } }
        : !isSystemClock && { clock: clockSeed(clock) }),
    },
  }
}
