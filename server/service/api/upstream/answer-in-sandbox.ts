import { textBody, type Response } from '../../../domain/http/exchange.ts'
import { activeBehaviors } from '../../operations/accounts/caller.ts'
import type { UnitOfWork } from '../../../store/store.ts'
import * as accounts from '../../../store/repositories/accounts.ts'
import { runCall } from '../answer-call.ts'
import type { Call } from '../call.ts'
import { createHeaders } from '../record-call.ts'
import type { UpstreamOutcome } from './answered-call.ts'
import { addStandIns } from './stand-ins.ts'

/**
 * Computes the sandbox's own response, and rolls back all changes. Links are paid and refunded at the real service, so copies of
 * them here would soon be wrong. Faults and the rate limit do not apply.
 */
export async function answerInSandbox(
  work: UnitOfWork,
  call: Call,
  status: number,
  verdict: UpstreamOutcome,
): Promise<Response> {
  try {
    await addStandIns(work, call, status, verdict)
    const account = await accounts.withApiKey(work.db, call.token)
    const behaviors = await activeBehaviors(work, account?.id)
    const context = { account, behaviors, retryAfter: 0, fault: undefined }
    const result = await runCall(work, call, context)
    const headers = createHeaders(result.error, behaviors)
    return {
      status: result.status,
      headers: Object.entries(headers),
      body: textBody(JSON.stringify(result.envelope)),
    }
  } finally {
    await work.rollback()
  }
}
