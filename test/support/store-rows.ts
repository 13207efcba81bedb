import { EMPTY_BILLING, type Account } from '../../server/domain/accounts/account.ts'
import { draftLink, type Link } from '../../server/domain/links/link.ts'
import type { NewDelivery } from '../../server/store/repositories/deliveries.ts'

export const newAccount = (id: string, number = 0): Account => ({
  id,
  name: `${id} ${number}`,
  environment: 'development',
  apiKey: `key ${id} ${number}`,
  recipientToken: `token ${id}`,
  paymentEndpoint: '',
  callbackUrls: [],
  webhookUrls: [],
  billing: EMPTY_BILLING,
  bankTransfer: false,
  serviceFee: '1.0',
})

export const newLink = (accountId: string, id: number, payId = id, number = 0): Link => ({
  id,
  payId,
  ...draftLink(
    { id: accountId, serviceFee: '1.0' },
    { amount: 100, note: `note ${number % 2}`, createdAt: '2026-07-01T10:00:00.000Z' },
  ),
})

/** A webhook of a link. */
export const newDelivery = ({ accountId, id: linkId, payId }: Link): NewDelivery => ({
  accountId,
  linkId,
  payId,
  status: 'paid',
  cause: 'outcome',
  target: 'http://localhost/',
  reason: '',
  contentType: '',
  body: '',
  retries: 'none',
  replayOf: null,
})
