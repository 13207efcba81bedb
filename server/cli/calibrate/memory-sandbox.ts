import type { LocalSandbox } from '../../calibration/calibrate.ts'
import { connectSandbox } from '../../client/connect-sandbox.ts'
import { openMemorySandbox } from '../open-sandbox.ts'
import type { CliIo } from '../io.ts'
import { createHttpService } from './http-service.ts'

const TIMEOUT_MS = 30_000

/** Starts the sandbox that says which answers to expect. */
export async function startMemorySandbox(io: CliIo): Promise<LocalSandbox & AsyncDisposable> {
  const running = await openMemorySandbox(io)
  const sandbox = await connectSandbox(running.url)
  const [owner, other] = await running.accounts()
  return {
    ...createHttpService({
      origin: running.url,
      apiKey: owner!.apiKey,
      recipient: other!.recipientToken,
      timeoutMs: TIMEOUT_MS,
    }),
    async setBehaviors(behaviors) {
      // A limit would change the answers to all calls, and is not what a probe is about.
      await sandbox.behaviors.set({ ...behaviors, rateLimit: 'none' })
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await running.close()
    },
  }
}
