import type { EventView } from '../../server/contract/views.ts'

type EventOf<Type extends EventView['type']> = Extract<EventView, { type: Type }>

/** Fields that every event about payment 1001 has. */
export const about = {
  seq: 7,
  at: '2026-11-21T03:17:45.240Z',
  accountId: '00000000-0000-4000-8000-000000000001',
  linkId: 1001,
  payId: 1001,
} as const

export const call = (changes: Partial<EventOf<'api.request'>> = {}): EventOf<'api.request'> => ({
  ...about,
  type: 'api.request',
  operation: 'createSplitLink',
  method: 'POST',
  path: '/api/v2/createSplitLink',
  status: 200,
  code: 1,
  message: 'Link has been created successfully',
  ms: 22.3,
  assumed: [],
  ...changes,
})

/** Numbers events from 1. */
export const inOrder = (...events: readonly EventView[]): EventView[] =>
  events.map((event, index) => ({ ...event, seq: index + 1 }))

/** Fields that every event about delivery 1 has. */
export const delivery = {
  ...about,
  deliveryId: 1,
  target: 'http://localhost:3000/hooks',
  reason: "The link's payment_endpoint names this URL",
  status: 'Success',
  cause: 'outcome',
  replayOf: null,
} as const

export const viewed: EventOf<'checkout.viewed'> = {
  ...about,
  type: 'checkout.viewed',
  page: 'checkout',
  method: 'GET',
  path: '/payment',
  status: 200,
  ms: 1,
}

export const attempted = (
  changes: Partial<EventOf<'delivery.attempted'>> = {},
): EventOf<'delivery.attempted'> => ({
  ...delivery,
  type: 'delivery.attempted',
  attempt: 1,
  startedAt: '2026-07-01T10:00:00.000Z',
  httpStatus: 200,
  error: null,
  ms: 83,
  state: 'delivered',
  nextAttemptAt: null,
  possibleDuplicate: false,
  ...changes,
})

export const created: EventOf<'link.created'> = {
  ...about,
  type: 'link.created',
  link: {
    id: 1001,
    payId: 1001,
    linkId: 'MTAwMQ==',
    accountId: about.accountId,
    amount: 100,
    note: 'Order 7',
    status: 'unused',
    kind: 'split',
    splitType: 'normal',
    cancellable: true,
    bankTransfer: false,
    payLink: 'http://127.0.0.1:4400/payment?link_id=MTAwMQ%3D%3D',
    qrImage: 'http://127.0.0.1:4400/qr/MTAwMQ%3D%3D.png',
    callbackUrl: '',
    paymentEndpoint: '',
    targets: [],
    payout: { recipients: [], owner: 100 },
    paidBy: null,
    paidAt: null,
    dispute: null,
    createdAt: about.at,
  },
}

export const paid: EventOf<'link.paid'> = {
  ...about,
  type: 'link.paid',
  entryPoint: 'control',
  method: 'card',
  amount: 100,
}

/** The request in which a tunnel captured the webhook. */
export const captured: EventOf<'tunnel.captured'> = {
  ...about,
  type: 'tunnel.captured',
  tunnel: 'flower-shop',
  capturedDeliveryId: 1,
  method: 'POST',
  path: '/tunnel/flower-shop',
  status: 200,
  size: 10,
}

/** The attempt of a webhook that a tunnel stored. */
export const stored = attempted({ storedIn: 'flower-shop' })

/** The answer of a listener that fetched the stored webhook later. */
export const listenerAnswer = (
  changes: Partial<EventOf<'tunnel.answered'>> = {},
): EventOf<'tunnel.answered'> => ({
  ...about,
  type: 'tunnel.answered',
  tunnel: 'flower-shop',
  capturedDeliveryId: 1,
  eventSeq: 1,
  listener: 'laptop',
  first: false,
  method: 'POST',
  path: '/tunnel/flower-shop',
  status: 201,
  error: null,
  ms: 5,
  possibleDuplicate: false,
  ...changes,
})
