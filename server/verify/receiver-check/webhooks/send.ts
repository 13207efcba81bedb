import { randomUUID } from 'node:crypto'
import type { CheckedOrder, Probe } from '../../../contract/checks/check.ts'
import type { WebhookVariant } from '../../app/webhooks/webhook-variant.ts'
import type { CaseContext } from '../case-context.ts'
import type { SandboxPort } from '../../app/run/sandbox-port.ts'
import { type CaseWebhook, webhookQuery, writeCaseWebhook } from '../../app/webhooks/write-webhook.ts'

/** Sends a webhook to the targets of the order's link, or to the receiver if the link has no targets. */
export async function send(
  { receiver, sandbox }: { readonly receiver: string; readonly sandbox: Pick<SandboxPort, 'post'> },
  {
    order,
    check,
    atOnce,
    hangUp,
  }: {
    readonly order: CheckedOrder
    readonly check: string
    /** The last bytes of all webhooks with this id are sent at the same time. */
    readonly atOnce?: CaseWebhook['atOnce'] | undefined
    /** When the connection breaks. */
    readonly hangUp?: CaseWebhook['hangUp']
  },
  variant: WebhookVariant,
): Promise<Probe[]> {
  const targets = targetsOf(receiver, order, variant)
  const webhook = {
    ...writeCaseWebhook(order, variant.isInQuery ? { ...variant, body: '' } : variant),
    check,
    ...(hangUp === undefined ? {} : { hangUp }),
  }
  const copies = targets.flatMap((target) => Array.from({ length: variant.copies ?? 1 }, () => target))
  if (!variant.oneByOne) {
    const group = atOnce ?? (copies.length > 1 ? { id: randomUUID(), count: copies.length } : undefined)
    const together = group === undefined ? {} : { atOnce: group }
    return Promise.all(copies.map((target) => sandbox.post(target, { ...webhook, ...together })))
  }
  const probes: Probe[] = []
  for (const target of copies.toReversed()) probes.push(await sandbox.post(target, webhook))
  return probes
}

/** Sends a good webhook that belongs to no case, in the encoding that the app is known to accept. */
export const sendGoodWebhook = (context: CaseContext, order: CheckedOrder, check: string): Promise<Probe[]> =>
  send(context, { order, check }, { encoding: context.acceptedEncoding.known() ?? 'form' })

export function targetsOf(receiver: string, order: CheckedOrder, variant: WebhookVariant): readonly string[] {
  const named = order.paymentEndpoint === '' || variant.to === 'receiver' ? [] : order.targets
  const targets = named.length === 0 ? [receiver] : named.map(({ url }) => url)
  return variant.isInQuery
    ? targets.map((target) => withQuery(target, webhookQuery(order, variant)))
    : targets
}

function withQuery(address: string, query: string): string {
  const url = new URL(address)
  url.search = url.search === '' ? query : `${url.search}&${query}`
  return url.href
}
