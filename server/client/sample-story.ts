import type { LinkView } from '../contract/views.ts'
import { SAMPLE_SNAPSHOT } from '../domain/state/snapshot.ts'
import type { LinkFields } from './create-link.ts'
import type { SandboxAccount } from './account.ts'
import type { Sandbox } from './connect-sandbox.ts'
import type { Fetch } from '../domain/http/fetch.ts'
import { SandboxError } from '../contract/sandbox-error.ts'

/**
 * Two tunnels of the sandbox are the receivers of the sample shop, so nothing leaves the machine. The tunnels respond as the
 * story needs it, and no app gets the webhooks. Accepted webhooks are stored, and a listener can fetch them later.
 */
const SHOP_TUNNEL = 'sample-shop'
const MOVED_TUNNEL = 'sample-moved'
const HELD_URL = 'https://shop.example/webhooks/paylink'

/**
 * Plays the first day of a shop: paid, cancelled and refused orders, a webhook that fails and is sent again, and decisions that
 * are still open. Every step is a real request of an app, a customer or an operator, so the journal contains real bytes.
 */
async function playSampleStory(sandbox: Sandbox, account: SandboxAccount, fetch: Fetch): Promise<number> {
  const { tunnels } = sandbox
  const courier = (await sandbox.accounts()).find(
    ({ id, environment }) => id !== account.id && environment === 'development',
  )
  const recipients = courier && [{ token: courier.recipientToken, share: 30 }]
  let count = 0

  async function order(amount: number, note: string, fields: Partial<LinkFields> = {}): Promise<LinkView> {
    count += 1
    return account.createLink({
      amount,
      note,
      callbackUrl: 'http://localhost:3000/thanks',
      paymentEndpoint: tunnelUrl(SHOP_TUNNEL),
      ...(recipients && { recipients }),
      ...fields,
    })
  }
  const tunnelUrl = (name: string): string => `${sandbox.url}/tunnel/${name}`

  /** The customer opens the checkout and submits its form. */
  async function checkOut(link: LinkView, fields: Readonly<Record<string, string>>): Promise<void> {
    const { pathname, search } = new URL(link.payLink)
    const page = sandbox.url + pathname + search
    await (await fetch(page)).text()
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    }
    await (await fetch(page, form)).text()
    await sandbox.settled()
  }
  const card = { method: 'card', outcome: 'pay' }

  await tunnels.setAnswer(SHOP_TUNNEL, { body: 'ok' })
  await checkOut(await order(48, 'Order 1: bouquet of roses'), card)
  await account.callUnchecked('createSplitLink', {
    amount: 36,
    recipient_note: 'Order 2: tulips',
    recipients: [{ token: 'rcpUnknownRecipient', share: 30 }],
  })
  const tulips = await order(36, 'Order 2: tulips')
  await checkOut(tulips, { outcome: 'decline' })
  await checkOut(tulips, card)
  await checkOut(await order(19.9, 'Order 3: birthday card'), { outcome: 'cancel' })

  await tunnels.setAnswer(SHOP_TUNNEL, { status: 500, body: 'Database is locked' })
  const wedding = await order(64, 'Order 4: wedding table, 12 vases')
  await checkOut(wedding, card)
  await tunnels.setAnswer(SHOP_TUNNEL, { body: 'ok' })
  await account.callUnchecked('sendWebhookViaPayId', { pay_ids: String(wedding.payId), status: 'Success' })
  await sandbox.settled()

  const login: readonly [string, string] = ['location', '/login']
  await tunnels.setAnswer(MOVED_TUNNEL, { status: 302, headers: [login], body: '' })
  await checkOut(await order(27, 'Order 5: sunflowers', { paymentEndpoint: tunnelUrl(MOVED_TUNNEL) }), card)
  await checkOut(await order(85, 'Order 6: wreath', { paymentEndpoint: HELD_URL }), card)

  // Not a split link, because only createLink has the field bank_transfer.
  const transfer = await order(250, 'Order 7: office plants, March', {
    bankTransfer: true,
    recipients: undefined,
  })
  await checkOut(transfer, { method: 'bank-transfer', outcome: 'pay' })
  const refunded = await order(32.5, 'Order 8: bouquet, wrong color')
  await checkOut(refunded, card)
  await account.callUnchecked('refundPayment', { pay_id: refunded.payId, refund_amount: 12.5 })
  const disputed = await order(55, 'Order 9: balcony set')
  await checkOut(disputed, { outcome: 'pay-and-close' })
  await account.dispute.open(disputed)
  await order(15, 'Order 10: lavender')
  return count
}

/**
 * Saves the state so that the story can be undone, then plays the story. Returns the number of links, or why the story stopped.
 */
export async function loadSampleStory(
  sandbox: Sandbox,
  accountId: string,
  fetch: Fetch,
): Promise<number | { readonly stoppedBy: string }> {
  try {
    await sandbox.snapshot(SAMPLE_SNAPSHOT, { replace: true })
    return await playSampleStory(sandbox, await sandbox.account(accountId), fetch)
  } catch (error) {
    if (error instanceof SandboxError) return { stoppedBy: error.message }
    throw error
  }
}
