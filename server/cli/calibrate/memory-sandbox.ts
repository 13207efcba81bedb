import type { LocalSandbox } from '../../verify/calibration/calibrate.ts'
import type { RecordedCall } from '../../verify/calibration/evaluate-recording.ts'
import type { NotificationRequest } from '../../verify/calibration/describe-notification.ts'
import type { NotificationResult, ProbePayments } from '../../verify/calibration/run-probe.ts'
import { connectSandbox, type Sandbox } from '../../client/connect-sandbox.ts'
import type { Outcome } from '../../client/payments.ts'
import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import { countKeptBytes, textBody } from '../../domain/http/exchange.ts'
import { readHar, readHarResponse } from '../../domain/har/read-har.ts'
import type { HarEntry } from '../../domain/har/write-har.ts'
import { openMemorySandbox } from '../open-sandbox.ts'
import type { CliIo } from '../io.ts'
import { createHttpService } from '../../verify/calibration/http-service.ts'

const TIMEOUT_MS = 30_000

export interface MemorySandbox extends LocalSandbox, AsyncDisposable {
  /** Sends the calls of an HTTP Archive to a sandbox with these behaviors, and returns its responses. */
  replay(har: string, origin: string | undefined, behaviors: BehaviorChoices): Promise<RecordedCall[]>
}

/** Starts the sandbox whose responses are compared with those of the service. */
export async function startMemorySandbox(io: CliIo): Promise<MemorySandbox> {
  const running = await openMemorySandbox(io)
  const sandbox = await connectSandbox(running.url)
  const [owner, other] = await running.accounts()

  async function setBehaviors(behaviors: BehaviorChoices): Promise<void> {
    // No rate limit, because it would change all responses, and no probe tests it. No retries and no special sequence, because
    // neither is compared.
    await sandbox.behaviors.set({
      ...behaviors,
      rateLimit: 'none',
      order: 'together',
      retries: 'none',
    })
  }

  return {
    ...createHttpService({
      origin: running.url,
      apiKey: owner!.apiKey,
      recipient: other!.recipientToken,
      timeoutMs: TIMEOUT_MS,
    }),
    setBehaviors,
    payments: createPayments(sandbox),
    async replay(har, origin, behaviors) {
      await sandbox.reset()
      await setBehaviors(behaviors)
      await sandbox.importHar(har, { name: 'recording', ...(origin !== undefined && { origin }) })
      return readReplay(await sandbox.exportHar())
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close()
      await running.close()
    },
  }
}

const resultOf = (request: NotificationRequest | null): NotificationResult => ({
  request,
  startedAt: '',
  ms: 0,
})

/**
 * Pays links as the customer does. The webhooks go to a host that does not exist, so the sandbox holds them, and their bytes can
 * be read.
 */
function createPayments(sandbox: Sandbox): ProbePayments {
  let deliveries: Outcome['deliveries'] = []
  return {
    async redirect({ id }, action) {
      const paid = await sandbox[action](id, { wait: 'accepted' })
      deliveries = paid.deliveries
      return resultOf({ method: 'GET', url: paid.redirect!.location, headers: [], body: textBody('') })
    },
    async webhook() {
      const [sent] = deliveries
      return resultOf(
        sent
          ? {
              method: 'POST',
              url: sent.target,
              headers: [['content-type', sent.contentType]],
              body: textBody(sent.body),
            }
          : null,
      )
    },
  }
}

const PREFIX = '/api/v2/'

/** The calls of an exported HAR file, each with the response of the service and the response of the sandbox. */
function readReplay(har: string): RecordedCall[] {
  const { entries } = (JSON.parse(har) as { readonly log: { readonly entries: readonly HarEntry[] } }).log
  return readHar(har).calls.map(({ index, exchange, startedAt, ms, error }): RecordedCall => {
    const { sandboxResponse, comparisonSkipped } = entries[index]!['_sandbox']
    const { request, response } = exchange
    const isComplete =
      response !== null &&
      error === null &&
      (response.body.isOmitted || countKeptBytes(response.body) === response.body.size)
    const expected = comparisonSkipped === undefined ? readHarResponse(sandboxResponse) : null
    return {
      operation: new URL(request.url).pathname.slice(PREFIX.length),
      exchange: {
        request,
        response: isComplete ? response : null,
        ...(expected && { sandboxResponse: expected }),
      },
      startedAt: startedAt ?? '',
      ms,
      comparisonSkipped,
    }
  })
}
