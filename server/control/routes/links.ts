import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { truncate } from '../../domain/text/truncate.ts'
import { forgeries } from '../../domain/faults/forgery.ts'
import type { Link } from '../../domain/links/link.ts'
import { webhookTargets } from '../../operations/webhooks/enqueue-webhooks.ts'
import { cancelLink } from '../../operations/links/cancel-link.ts'
import { declineLink } from '../../operations/links/decline-link.ts'
import { deleteLink } from '../../operations/links/delete-link.ts'
import { closeDispute, openDispute } from '../../operations/links/dispute-link.ts'
import type { PaymentResult } from '../../operations/webhooks/payment-result.ts'
import { forgeWebhook } from '../../operations/webhooks/forge-webhook.ts'
import { payLink } from '../../operations/links/pay-link.ts'
import { approveTransfer, rejectTransfer } from '../../operations/links/review-transfer.ts'
import * as links from '../../store/repositories/links.ts'
import * as egressRules from '../../store/repositories/egress-rules.ts'
import type { UnitOfWork } from '../../store/store.ts'
import type { ControlContext } from '../context.ts'
import { accountParam, waitMode, type WaitMode } from '../../contract/schemas/request-fields.ts'
import { assertAccountExists } from '../requests/find-account.ts'
import { findLink, linkRef } from '../requests/find-link.ts'
import { body, limit, query, seq } from '../requests/input.ts'
import { toAbsoluteUrl, presentLink } from '../../contract/views.ts'
import { DeliverySchema } from '../../contract/schemas/delivery.ts'
import { readonlyList } from '../../contract/schemas/fields.ts'
import { linkStatus, LinkSchema, paymentMethod } from '../../contract/schemas/link.ts'
import { presentDeliveries } from '../present-deliveries.ts'
import { awaitDeliveries, withEpoch } from '../waits/await-deliveries.ts'
import { describeRoute } from '../requests/describe-route.ts'

const browser = z.enum(['returns', 'closes']).default('returns').meta({
  description: "Whether the customer's browser follows the redirect, or is closed before it can.",
})

const Payment = z
  .strictObject({
    method: paymentMethod.default('card').meta({ description: 'A bank transfer waits for its approval.' }),
    browser,
    wait: waitMode,
  })
  .meta({ examples: [{ method: 'card', browser: 'closes' }] })
const Cancellation = z.strictObject({ browser, wait: waitMode })
const Approval = z.strictObject({ wait: waitMode })
const Listing = z.strictObject({
  account: accountParam,
  status: linkStatus.optional().meta({ description: 'Only links of this status.' }),
  before: seq.optional().meta({ description: 'Only links with a smaller id, to turn a page.' }),
  limit: limit(100),
})
const Forging = z
  .strictObject({
    wrong: z
      .enum(forgeries, {
        error: ({ input }) => `should be one of ${forgeries.join(', ')}, not ${truncate(String(input), 40)}`,
      })
      .default('amount')
      .meta({
        description:
          'What is wrong with it: the amount, the account, the payment, nothing but that it was never sent, or that it is an old one.',
      }),
    says: z
      .enum(['Success', 'cancel'])
      .default('Success')
      .meta({ description: 'The outcome that it tells of. An old one says what it said.' }),
    wait: waitMode,
  })
  .meta({ examples: [{ wrong: 'amount' }] })
const Closing = z.strictObject({
  outcome: z
    .enum(['won', 'lost'])
    .default('lost')
    .meta({ description: 'Won or lost by the customer. A dispute that was won blocks a refund.' }),
})

const Outcome = z
  .object({
    link: LinkSchema,
    redirect: z
      .object({
        location: z.string(),
        mappedFrom: z.string().optional().meta({ description: 'Where it was meant to go.' }),
      })
      .nullable()
      .meta({ description: 'Where the browser was sent, null where it was not.' }),
    deliveries: readonlyList(DeliverySchema).meta({ description: 'What became of every webhook.' }),
  })
  .meta({ id: 'Outcome', description: 'What came of what the customer or the operator did.' })

const Forged = z.object({ deliveries: readonlyList(DeliverySchema) })

const path = { ref: linkRef }

/** What a change of one link answers, and what may stand against it. */
const changed = { path, answers: { 200: LinkSchema }, problems: [404, 409] } as const
const concluded = { path, answers: { 200: Outcome }, problems: [404, 409] } as const

export function linkRoutes(context: ControlContext) {
  const { store, baseUrl } = context

  const show = async (c: Context, link: Link) =>
    presentLink(link, await webhookTargets(store, link), baseUrl(c), await egressRules.maps(store.db))

  const change = (c: Context, verb: (work: UnitOfWork, link: Link) => Promise<Link>) =>
    store
      .transact(async (work) => verb(work, await findLink(work.db, c.req.param('ref') ?? '')))
      .then((link) => show(c, link))

  /** Carries an outcome out, and answers once its webhooks have settled or been accepted. */
  async function conclude(
    c: Context,
    until: WaitMode,
    verb: (work: UnitOfWork, link: Link) => Promise<PaymentResult>,
  ) {
    const { link, redirect, assumed, sent } = await store.transact(async (work) => {
      const { deliveries, ...rest } = await verb(work, await findLink(work.db, c.req.param('ref') ?? ''))
      return { ...rest, sent: await withEpoch(work, deliveries) }
    })
    if (assumed.length > 0) c.header('sandbox-assumed', assumed.join(', '))
    const then = await awaitDeliveries(store, sent, until, c.req.raw.signal)
    return {
      link: await show(c, link),
      redirect: redirect && { ...redirect, location: toAbsoluteUrl(redirect.location, baseUrl(c)) },
      deliveries: await presentDeliveries(store.db, then, baseUrl(c)),
    }
  }

  return new Hono()
    .get(
      '/',
      describeRoute({
        summary: 'List links',
        description: 'Newest first.',
        answers: { 200: z.object({ links: readonlyList(LinkSchema) }) },
        problems: [404],
      }),
      query(Listing),
      async (c) => {
        const { account: accountId, limit: most, ...rest } = c.req.valid('query')
        await assertAccountExists(store.db, accountId)
        const filter = { ...rest, ...(accountId === undefined ? {} : { accountId }) }
        const found = await links.list(store.db, filter as links.LinkFilter, most)
        return c.json({ links: await Promise.all(found.map((link) => show(c, link))) })
      },
    )
    .get(
      '/:ref',
      describeRoute({
        summary: 'Get a link',
        description: 'With its payout, its targets and its state.',
        path,
        answers: { 200: LinkSchema },
        problems: [404],
      }),
      async (c) => c.json(await show(c, await findLink(store.db, c.req.param('ref')))),
    )
    .post(
      '/:ref/pay',
      describeRoute({
        summary: 'Pay, as the customer does',
        description:
          'By card the link is paid at once. A bank transfer awaits approval. Answers with the redirect and the webhooks.',
        ...concluded,
      }),
      body(Payment),
      async (c) => {
        const { method, browser: then, wait: until } = c.req.valid('json')
        const payment = { method, browser: then, entryPoint: 'control' } as const
        return c.json(await conclude(c, until, (work, link) => payLink(work, link, payment)))
      },
    )
    .post(
      '/:ref/cancel',
      describeRoute({
        summary: 'Cancel, as the customer does',
        description: 'The link cannot be paid any more. Answers with the redirect and the webhooks.',
        ...concluded,
      }),
      body(Cancellation),
      async (c) => {
        const { browser: then, wait: until } = c.req.valid('json')
        return c.json(await conclude(c, until, (work, link) => cancelLink(work, link, then, 'control')))
      },
    )
    .post(
      '/:ref/decline',
      describeRoute({
        summary: "Let the customer's bank decline the card",
        description: 'Nobody is told, and the customer may try again.',
        ...changed,
      }),
      async (c) =>
        c.json(
          await change(c, async (work, link) => {
            await declineLink(work, link, 'control')
            return link
          }),
        ),
    )
    .post(
      '/:ref/approve-transfer',
      describeRoute({
        summary: 'Approve a bank transfer',
        description: 'The link is paid, and its webhooks go out.',
        ...concluded,
      }),
      body(Approval),
      async (c) =>
        c.json(
          await conclude(c, c.req.valid('json').wait, (work, link) => approveTransfer(work, link, 'control')),
        ),
    )
    .post(
      '/:ref/reject-transfer',
      describeRoute({
        summary: 'Reject a bank transfer',
        description: 'The link can be paid again.',
        ...changed,
      }),
      async (c) => c.json(await change(c, (work, link) => rejectTransfer(work, link, 'control'))),
    )
    .post(
      '/:ref/forged-webhook',
      describeRoute({
        summary: 'Send a webhook that the service never sent',
        description:
          'To the targets of the link, on this machine or a private network only. Nothing changes about the link.',
        path,
        answers: { 201: Forged },
        problems: [404, 409],
      }),
      body(Forging),
      async (c) => {
        const { wait: until, ...forgery } = c.req.valid('json')
        const sent = await store.transact(async (work) =>
          withEpoch(work, await forgeWebhook(work, await findLink(work.db, c.req.param('ref')), forgery)),
        )
        const then = await awaitDeliveries(store, sent, until, c.req.raw.signal)
        return c.json({ deliveries: await presentDeliveries(store.db, then, baseUrl(c)) }, 201)
      },
    )
    .delete(
      '/:ref',
      describeRoute({ summary: 'Delete a link', description: 'One that was paid stays.', ...changed }),
      async (c) => c.json(await change(c, (work, link) => deleteLink(work, link, 'control'))),
    )
    .put(
      '/:ref/dispute',
      describeRoute({
        summary: 'Open a dispute',
        description:
          'The customer contests a payment. While the dispute is open, no refund can be requested or approved.',
        ...changed,
      }),
      async (c) => c.json(await change(c, openDispute)),
    )
    .delete(
      '/:ref/dispute',
      describeRoute({
        summary: 'Close a dispute',
        description: '`outcome` says whether the customer won or lost it. A pending refund stays pending.',
        ...changed,
      }),
      query(Closing),
      async (c) => {
        const { outcome } = c.req.valid('query')
        return c.json(await change(c, (work, link) => closeDispute(work, link, outcome)))
      },
    )
}
