import type { SandboxPort } from './sandbox-port.ts'
import type { Probe } from '../contract/check.ts'
import type { WebhookVariant } from './check-case.ts'
import type { CheckedOrder } from '../contract/check.ts'
import { writeWebhook } from './write-webhook.ts'

/** Sends what a case says. The targets that the link names are the order's own; one that names none is told of at the receiver. */
export async function send(
  { receiver, sandbox }: { readonly receiver: string; readonly sandbox: Pick<SandboxPort, 'post'> },
  { order, check }: { readonly order: CheckedOrder; readonly check: string },
  sending: WebhookVariant,
): Promise<Probe[]> {
  const own = order.paymentEndpoint === '' || sending.to === 'receiver' ? [] : order.targets
  const targets = own.length === 0 ? [receiver] : own.map(({ url }) => url)
  const webhook = { ...writeWebhook(order, sending), check }
  const all = targets.flatMap((target) => Array.from({ length: sending.copies ?? 1 }, () => target))
  return Promise.all(all.map((target) => sandbox.post(target, webhook)))
}
