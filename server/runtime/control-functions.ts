import type { CallerRunOptions } from '../verify/caller-check/caller-run-options.ts'
import type { ControlContext } from '../control/context.ts'
import type { CheckRunOptions } from '../verify/app/run/check-run-options.ts'
import type { Fetch } from '../domain/http/fetch.ts'
import type { Store } from '../store/store.ts'
import type { Outbound } from './outbound.ts'

type ControlFunctions = Pick<
  ControlContext,
  'checkReceiver' | 'checkCaller' | 'playSampleStory' | 'importCalls'
>

/** This sandbox, as a client of itself. */
interface OwnSandbox {
  readonly origin: () => string
  readonly version: string
  readonly upstream: string | null
  readonly fetch: Fetch
}

/**
 * The functions of the control API that import calls or that need a client of this sandbox. Their code is loaded at the first
 * call.
 */
export function createControlFunctions(
  store: Store,
  openFetchApp: Outbound['openFetchApp'],
  { origin, version, upstream, fetch }: OwnSandbox,
  onError: (error: unknown) => void,
): ControlFunctions {
  const openSelf = async () => {
    const { createHandle } = await import('../client/connect-sandbox.ts')
    return createHandle({ url: origin(), version, upstream }, { fetch })
  }

  return {
    async checkReceiver(receiver, run) {
      await using self = await openSelf()
      const options: CheckRunOptions = { ...run, fetchApp: await openFetchApp() }
      return await self.check(receiver, options)
    },
    async checkCaller(orderUrl, run) {
      await using self = await openSelf()
      const options: CallerRunOptions = { ...run, fetchApp: await openFetchApp() }
      return await self.checkCaller(orderUrl, options)
    },
    async playSampleStory(accountId) {
      const { loadSampleStory } = await import('../client/sample-story.ts')
      await using self = await openSelf()
      return await loadSampleStory(self, accountId, fetch)
    },
    async importCalls(har, options) {
      const { importCalls } = await import('../service/api/upstream/import-calls.ts')
      return importCalls(store, har, options, onError)
    },
  }
}
