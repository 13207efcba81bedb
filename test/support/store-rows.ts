import { EMPTY_BILLING, type Account } from '../../server/domain/accounts/account.ts'
import type { Link } from '../../server/domain/links/link.ts'
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
  accountId,
  amount: 100,
  note: `note ${number % 2}`,
  status: 'unused',
  kind: 'basic',
  splitType: 'normal',
  recipients: [],
  cancellable: true,
  isQrLink: false,
  bankTransfer: false,
  bankStatementDescription: '',
  serviceFee: '1.0',
  callbackUrl: '',
  paymentEndpoint: '',
  targets: [],
  paidBy: null,
  dispute: null,
  createdAt: '2026-07-01T10:00:00.000Z',
  paidAt: null,
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
