import type { Sandbox } from '../client/connect-sandbox.ts'
import { SandboxError } from '../contract/sandbox-error.ts'
import { UsageError } from '../domain/text/usage-error.ts'

const WHERE_TO_FIND_IDS =
  'The id is the number after Webhook in the output of npx paylink-sandbox pay and events.'

export function readDelivery(operand: string): number {
  if (/^\d{1,15}$/.test(operand)) return Number(operand)
  throw new UsageError(`${operand} is not the id of a delivery. ${WHERE_TO_FIND_IDS}`)
}

/**
 * Explains an unknown id. The user may have passed the number of an event instead of a webhook, because `events` prints both on
 * one line. Rethrows any other error.
 */
export async function explainUnknownDelivery(
  error: unknown,
  command: 'replay' | 'allow',
  sandbox: Sandbox,
  id: number,
): Promise<never> {
  if (!(error instanceof SandboxError && error.status === 404)) throw error
  const [event] = id === 0 ? [] : await sandbox.events({ after: id - 1, limit: 1 })
  const advice =
    event?.seq === id && 'deliveryId' in event
      ? `Event ${id} belongs to webhook ${event.deliveryId}: write npx paylink-sandbox ${command} ${event.deliveryId}.`
      : WHERE_TO_FIND_IDS
  throw new SandboxError(`There is no delivery ${id}. ${advice}`, error.request, error.status)
}
