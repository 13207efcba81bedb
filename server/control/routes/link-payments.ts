import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { forgeries } from '../../domain/faults/forgery.ts'
import type { Link } from '../../domain/links/link.ts'
import { cancelLink } from '../../service/operations/links/cancel-link.ts'
import { declineLink } from '../../service/operations/links/decline-link.ts'
import type { PaymentResult } from '../../service/operations/webhooks/payment-result.ts'
import { forgeWebhook } from '../../service/operations/webhooks/forge-webhook.ts'
import { payLink } from '../../service/operations/links/pay-link.ts'
import { approveTransfer, rejectTransfer } from '../../service/operations/links/review-transfer.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { waitMode, type WaitMode } from '../../contract/schemas/request-fields.ts'
import { createLinkChange, linkChange } from '../requests/change-link.ts'
import { findLink, linkRef } from '../requests/find-link.ts'
import { body } from '../requests/validators.ts'
import { toAbsoluteUrl } from '../../contract/views.ts'
import { DeliverySchema } from '../../contract/schemas/delivery.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { browser, LinkSchema, paymentMethod } from '../../contract/schemas/link.ts'
import { presentDeliveries } from '../present-deliveries.ts'
import { presentLinks } from '../present-links.ts'
import { withEpoch } from '../../store/await-settled.ts'
import { presentInMode } from '../waits/await-deliveries.ts'
import { describeRoute } from '../requests/describe-route.ts'

const PayBody = z
  .strictObject({
    method: paymentMethod.default('card').meta({ description: 'A bank transfer has to be approved.' }),
    browser,
    wait: waitMode,
  })
  .meta({ examples: [{ method: 'card', browser: 'closes' }] })

const CancelBody = z.strictObject({ browser, wait: waitMode })

const ApproveBody = z.strictObject({ wait: waitMode })

const ForgeBody = z
  .strictObject({
    forgery: z
      .enum(forgeries, { error: `should be one of ${forgeries.join(', ')}` })
      .default('amount')
      .meta({
        description:
          'What is wrong with the webhook: its amount, its account, or its payment. `nothing`: only that the service never sent it. `old`: it repeats an earlier webhook.',
      }),
    status: z
      .enum(['Success', 'cancel'])
      .default('Success')
      .meta({ description: 'The status that the webhook reports. An `old` one keeps its own.' }),
    wait: waitMode,
  })
  .meta({ examples: [{ forgery: 'amount' }] })

const PaymentResultSchema = z
  .object({
    link: LinkSchema,
    redirect: z
      .object({
        location: z.string(),
        mappedFrom: z.string().optional().meta({ description: 'The location before a URL map was applied.' }),
      })
      .nullable()
      .meta({ description: 'The redirect of the browser. Null if there was none.' }),
    deliveries: readonlyList(DeliverySchema).meta({ description: 'The webhooks that were sent.' }),
  })
  .meta({ id: 'PaymentResult', description: 'The effects of an action on a payment.' })

const Forged = z.object({ deliveries: readonlyList(DeliverySchema) })

const params = { ref: linkRef }

const payment = { params, responses: { 200: PaymentResultSchema }, errors: [404, 409] } as const

/** What a customer or the bank does with a link. */
export function linkPaymentRoutes(context: ControlContext) {
  const { store, baseUrl, planRunner } = context
  const changeLink = createLinkChange(context)

  /** Pays or cancels a link. Responds with the result, either at once or when the webhooks have settled. */
  async function pay(
    c: Context,
    wait: WaitMode,
    action: (work: UnitOfWork, link: Link) => Promise<PaymentResult>,
  ) {
    const base = baseUrl(c)
    const { queued, views, link, redirect, plan, assumed, presented } = await store.transact(async (work) => {
      const done = await action(work, await findLink(work.db, c.req.param('ref') ?? ''))
      return {
        ...done,
        queued: await withEpoch(work, done.deliveries),
        views: await presentDeliveries(work.db, done.deliveries, base),
        presented: (await presentLinks(work.db, [done.link], base))[0]!,
      }
    })
    if (assumed.length > 0) c.header('sandbox-assumed', assumed.join(', '))
    const deliveries = await presentInMode(store, { queued, views }, wait, {
      baseUrl: base,
      signal: c.req.raw.signal,
      before: plan === null ? undefined : (signal) => planRunner.waitUntilPaused(link.id, signal),
    })
    return {
      link: presented,
      redirect:
        redirect === null || redirect === 'lost'
          ? null
          : { ...redirect, location: toAbsoluteUrl(redirect.location, base) },
      deliveries,
    }
  }

  return new Hono()
    .post(
      '/:ref/pay',
      describeRoute({
        summary: 'Pay a link',
        description:
          'A card payment succeeds at once, a bank transfer awaits approval. Answers with the redirect and the webhooks.',
        ...payment,
      }),
      body(PayBody),
      async (c) => {
        const { method, browser: afterwards, wait } = c.req.valid('json')
        const details = { method, browser: afterwards, entryPoint: 'control' } as const
        return c.json(await pay(c, wait, (work, link) => payLink(work, link, details)))
      },
    )
    .post(
      '/:ref/cancel',
      describeRoute({
        summary: 'Cancel a payment as the customer',
        description: 'The link can no longer be paid. Answers with the redirect and the webhooks.',
        ...payment,
      }),
      body(CancelBody),
      async (c) => {
        const { browser: afterwards, wait } = c.req.valid('json')
        return c.json(await pay(c, wait, (work, link) => cancelLink(work, link, afterwards, 'control')))
      },
    )
    .post(
      '/:ref/decline',
      describeRoute({
        summary: 'Decline a card payment',
        description: 'No webhook is sent, and the customer can try again.',
        ...linkChange,
      }),
      async (c) =>
        c.json(
          await changeLink(c, async (work, link) => {
            await declineLink(work, link, 'control')
            return link
          }),
        ),
    )
    .post(
      '/:ref/approve-transfer',
      describeRoute({
        summary: 'Approve a bank transfer',
        description: 'The link is paid, and its webhooks are sent.',
        ...payment,
      }),
      body(ApproveBody),
      async (c) =>
        c.json(
          await pay(c, c.req.valid('json').wait, (work, link) => approveTransfer(work, link, 'control')),
        ),
    )
    .post(
      '/:ref/reject-transfer',
      describeRoute({
        summary: 'Reject a bank transfer',
        description: 'The link can be paid again.',
        ...linkChange,
      }),
      async (c) => c.json(await changeLink(c, (work, link) => rejectTransfer(work, link, 'control'))),
    )
    .post(
      '/:ref/forged-webhook',
      describeRoute({
        summary: 'Send a forged webhook',
        description:
          'Sends a forged webhook to the targets of the link. Only targets on this machine or a private network get it. The link does not change.',
        params,
        responses: { 201: Forged },
        errors: [404, 409],
      }),
      body(ForgeBody),
      async (c) => {
        const { wait, ...forgery } = c.req.valid('json')
        const options = { baseUrl: baseUrl(c), signal: c.req.raw.signal }
        const forged = await store.transact(async (work) => {
          const deliveries = await forgeWebhook(work, await findLink(work.db, c.req.param('ref')), forgery)
          return {
            queued: await withEpoch(work, deliveries),
            views: await presentDeliveries(work.db, deliveries, options.baseUrl),
          }
        })
        return c.json({ deliveries: await presentInMode(store, forged, wait, options) }, 201)
      },
    )
}
