import type { CallerProblem } from '../../contract/checks/caller-check.ts'
import type { ReceiverProblem } from '../../contract/checks/check.ts'

/** The names of cases that find the same mistake, with the mistake in the words of a shop. The case that explains it best comes first. */
type CasesOfMistake = Readonly<Record<string, string>>

/** Mistakes that let an order become paid or fulfilled without a payment, from the plainest one. Each has a remedy of its own. */
const withoutPayment = (
  paysTheOrder: string,
  paysAnother: (which: string) => string,
): readonly CasesOfMistake[] => [
  {
    cancelled: `A cancel webhook ${paysTheOrder}`,
    'missing-status': `A webhook without a status ${paysTheOrder}`,
    'unknown-status': `A webhook with a status other than Success ${paysTheOrder}`,
    'similar-status': `A webhook whose status only resembles Success ${paysTheOrder}`,
  },
  {
    'visit-alone': `Opening the return page ${paysTheOrder}`,
    'redirect-alone': `Opening the return page with status=Success ${paysTheOrder}`,
    'cancel-redirect-alone': `Opening the return page with status=cancel ${paysTheOrder}`,
    'redirect-of-another-payment': `Opening the return page with the pay_id of another payment ${paysTheOrder}`,
    'redirect-after-cancel': `After a cancel, opening the return page with status=Success ${paysTheOrder}`,
    'return-forged': `Opening the return page with status=Success ${paysTheOrder}`,
    'return-cancelled': `Opening the return page with status=cancel ${paysTheOrder}`,
  },
  {
    'forged-amount': `{wrong amount} ${paysTheOrder}`,
    'amount-too-high': `A webhook with an amount that is too high ${paysTheOrder}`,
    'amount-not-positive': `A webhook with the amount 0, or with a negative one, ${paysTheOrder}`,
    'amount-rounded': `A webhook whose amount is rounded, or a little too low, ${paysTheOrder}`,
    'amount-off-by-a-cent': `A webhook whose amount is wrong by one cent ${paysTheOrder}`,
    'amount-large-off-by-a-cent': `A webhook whose amount is wrong by one cent ${paysTheOrder}, if the amount is large`,
    'amount-in-two-parts': `Two webhooks, each with half the amount: the second one ${paysTheOrder}`,
    'missing-amount': `A webhook without a valid amount ${paysTheOrder}`,
    'newer-link-paid': `A webhook with a wrong amount or account for the second link ${paysTheOrder}`,
  },
  {
    'forged-user': `{wrong account} ${paysTheOrder}`,
    'missing-user-id': `A webhook without a user_id ${paysTheOrder}`,
  },
  {
    'note-shared': `The payment of one order ${paysAnother('with the same note')}`,
    'note-similar': `The payment of one order ${paysAnother('with a similar note')}`,
    'two-orders-of-one-customer': `The payment of one order ${paysAnother('of the same customer')}`,
    'unknown-pay-id': 'A webhook that belongs to no order pays an order',
  },
  { 'missing-pay-id': `A webhook without a pay_id ${paysTheOrder}` },
  { 'order-as-paid': `A field that customers can add to their order ${paysTheOrder}` },
  {
    'get-request': `A GET request ${paysTheOrder}`,
    'fields-in-address': `A webhook whose fields are in its URL ${paysTheOrder}`,
  },
  {
    'garbage-form': `A malformed webhook ${paysTheOrder}`,
    'garbage-json': `A malformed webhook ${paysTheOrder}`,
    'empty-body': `A webhook without a body ${paysTheOrder}`,
  },
]

type Webhook = (what: string) => string

const notPaying: Webhook = (what) => `A webhook ${what} does not pay the order`
const notAccepted: Webhook = (what) => `Your app does not accept a webhook ${what}`

const inForm = (title: Webhook): CasesOfMistake => ({
  'form-literal-brackets': title('with literal brackets (data[pay_id])'),
  'form-charset': title('whose Content-Type names a charset'),
  'slow-body': title('that arrives in pieces'),
  'extra-fields': title('with further fields'),
})

const inJson = (title: Webhook): CasesOfMistake => ({
  json: title('in JSON'),
  'json-charset': title('in JSON whose Content-Type names a charset'),
  'slow-json': title('in JSON that arrives in pieces'),
})

/** The cases that place orders with unusual notes. */
export const NOTE_CASES = [
  'note-odd',
  'note-reserved',
  'note-utf8',
  'note-four-bytes',
  'note-long',
  'note-similar',
] as const

/** The cases that send a single webhook of an order, the plainest first. */
export const SINGLE_PAYMENTS = [
  'form-encoded-brackets',
  'form-literal-brackets',
  'form-charset',
  'extra-fields',
  'slow-body',
  'json',
  'json-charset',
  'amount-whole',
  'amount-one-decimal',
  'amount-two-decimals',
  'amount-odd',
  'note-empty',
  'note-utf8',
  'note-reserved',
  'note-four-bytes',
  'note-long',
] as const

/** The cases in which a call fails, and the customer orders again when the service works. */
export const AGAIN_AFTER_FAILURE = [
  'refused',
  'server-error-long',
  'request-lost',
  'web-page',
  'too-many-calls',
] as const

/** The visits of the return page, from the plainest one. */
const onReturnPage = (does: string): CasesOfMistake => ({
  'visit-alone': `The return page ${does}`,
  'redirect-alone': `The return page ${does} when the customer returns with status=Success`,
  'cancel-redirect-alone': `The return page ${does} when the customer returns with status=cancel`,
  'return-forged': `The return page ${does} when the customer returns with status=Success`,
  'return-cancelled': `The return page ${does} when the customer returns with status=cancel`,
  'redirect-before-webhook': `The return page ${does} before the webhook has come`,
  'return-before-webhook': `The return page ${does} before the webhook has come`,
  'returned-often': `The return page of a paid order ${does}`,
  'return-twice': `The return page of a paid order ${does}`,
  'cancel-redirect-after-success': `The return page of a paid order ${does} when the customer returns with status=cancel`,
  'redirect-after-cancel': `The return page of a cancelled order ${does}`,
  'return-after-refund': `The return page of a refunded order ${does}`,
})

/**
 * For each problem, the mistakes that cause it, and the cases that find them. A problem without an entry is named by its title, and a case
 * without an entry explains a problem only if no other case has found it. A name in braces stands for what the case has seen.
 */
export const mistakeTitles: Readonly<
  Partial<Record<ReceiverProblem | CallerProblem, readonly CasesOfMistake[]>>
> = {
  'harmed-by-garbage': [
    {
      'garbage-form': 'After a webhook that your app cannot read, other orders are lost or stay unpaid',
      'garbage-json': 'After a webhook that your app cannot read, other orders are lost or stay unpaid',
      'empty-body': 'After a webhook without a body, other orders are lost or stay unpaid',
    },
    {
      'unknown-pay-id': 'After a webhook that belongs to no order, other orders are lost or stay unpaid',
    },
    {
      'missing-note': 'After a webhook without a note, other orders are lost or stay unpaid',
      'missing-pay-id': 'After a webhook without a pay_id, other orders are lost or stay unpaid',
    },
    {
      'connection-lost': 'After a webhook whose connection breaks, other orders are lost or stay unpaid',
    },
  ],
  'paid-without-payment': withoutPayment(
    'marks the order as paid',
    (which) => `marks another order ${which} as paid`,
  ),
  'fulfilled-without-payment': withoutPayment(
    'fulfills the order',
    (which) => `fulfills another order ${which}`,
  ),
  'fulfilled-again': [
    Object.fromEntries(
      SINGLE_PAYMENTS.map((name) => [name, 'A single payment fulfills the order more than once']),
    ),
    {
      repeated: 'The same webhook, sent twice, fulfills the order twice',
      'resent-later': 'A webhook that comes again later fulfills the order again',
      'repeated-differently': 'A repeated webhook with different bytes fulfills the order again',
      'repeated-at-once': 'The same webhook, sent several times at once, fulfills the order more than once',
      'connection-lost': 'A webhook that comes again after a lost connection fulfills the order again',
      'service-down':
        'A webhook that comes again after calls to the service have failed fulfills the order again',
      'refused-first': 'After {refused}, a payment fulfills the order more than once',
      'killed-after-answer': 'After your app starts again, it fulfills paid orders again',
      'late-repetition': 'A webhook that comes again later fulfills the order again',
      'closing-look': 'Some seconds later, a paid order is fulfilled again',
    },
    {
      'second-payment': 'A second payment fulfills the order again',
      'both-links-paid': 'The payment of a second link fulfills the order again',
      'second-tab': 'The payment of a second link fulfills the order again',
      'second-browser': 'The payment of a second link fulfills the order again',
      'double-click': 'The payment of a second link fulfills the order again',
      'second-payment-at-once': 'Two payments at once fulfill the order twice',
      'both-links-paid-at-once': 'Two payments at once fulfill the order twice',
    },
    {
      'returned-often': 'Each visit to the return page of a paid order fulfills it again',
      'return-twice': 'Each visit to the return page of a paid order fulfills it again',
      'cancel-redirect-after-success':
        'A paid order is fulfilled again when the customer returns with status=cancel',
      'return-cancelled-after-payment':
        'A paid order is fulfilled again when the customer returns with status=cancel',
      'webhook-during-redirect': 'A webhook and a visit to the return page at once fulfill the order twice',
    },
    {
      'cancel-after-success': 'A late cancel fulfills a paid order again',
      'success-after-late-cancel': 'After a late cancel, the same webhook fulfills the order again',
      'older-link-cancelled-again': 'A late cancel of an older link fulfills the order again',
      'newer-link-cancelled': 'A late cancel of another link fulfills the order again',
      'success-with-cancel': 'A payment and a cancel at once fulfill the order more than once',
    },
    {
      'second-tab-after-payment': 'A paid order is fulfilled again when the customer places it again',
    },
    {
      'late-cancel': 'A late cancel, or a late visit of the return page, fulfills a paid order again',
    },
  ],
  'not-paid': [
    {
      'form-encoded-brackets': 'The webhook of a payment does not pay the order',
      ...inForm(notPaying),
    },
    {
      'return-never': 'The webhook of a payment does not pay the order',
      'return-before-webhook':
        'If the customer returns before the webhook comes, the payment does not pay the order',
    },
    { ...inJson(notPaying), 'json-fields': 'In JSON, a webhook with {field} does not pay the order' },
    {
      'amount-whole': 'An amount in whole euros, such as 10, does not pay the order',
      'amount-one-decimal': 'An amount with one decimal, such as 10.5, does not pay the order',
      'amount-two-decimals': 'An amount with two decimals, such as 10.50, does not pay the order',
      'amount-odd': 'A payment of the exact amount does not pay an order of {amount}',
    },
    {
      'note-empty': 'The payment of an order without a note does not pay it',
      'note-utf8': 'The payment of an order whose note has letters like ë does not pay it',
      'note-reserved': 'The payment of an order whose note has signs like & and + does not pay it',
      'note-four-bytes': 'The payment of an order whose note has emoji does not pay it',
      'note-long': 'The payment of an order with a long note does not pay it',
      'note-odd': 'The payment of an order with {note} does not pay it',
    },
    {
      'note-shared': 'If orders have the same note, a payment does not pay its own order',
      'note-similar': 'If orders have similar notes, a payment does not pay its own order',
      'two-orders-of-one-customer': 'If a customer has two orders, a payment does not pay its own order',
    },
    {
      'status-lowercase': 'A webhook with the status success in lower case does not pay the order',
    },
    {
      'pay-id-is-not-id': 'A payment whose pay_id differs from the id of its link does not pay the order',
      'pay-id-large': 'A payment with a large pay_id does not pay the order',
    },
    {
      'redirect-before-webhook':
        'If the customer returns before the webhook comes, the payment does not pay the order',
      'success-after-cancel-redirect': 'A payment after a return with status=cancel does not pay the order',
    },
    {
      'success-after-cancel': 'A payment after a cancel does not pay the order',
      'newer-link-paid': 'The payment of a second link, after a cancel, does not pay the order',
      'older-link-paid': 'The payment of an older link does not pay the order',
      'changed-order-paid': 'After the order was placed again for another price, its payment does not pay it',
    },
    {
      'refused-first': 'After {refused}, the real payment does not pay the order',
    },
    {
      'success-with-cancel': 'A payment is lost if a cancel comes at the same moment',
      'webhook-during-redirect': 'A payment is lost if the return page loads at the same moment',
      'older-link-paid-during-order': 'A payment is lost if the customer orders again at the same moment',
    },
    {
      'redirect-of-another-payment':
        'A payment is lost if someone else has opened the return page with its pay_id',
    },
    {
      'many-at-once': 'If many customers pay at once, some orders stay unpaid',
    },
    {
      'connection-lost': 'A payment is lost if the connection breaks, although the webhook comes again',
      'killed-after-answer': 'A payment is lost if the app stops right after its answer to the webhook',
    },
    {
      'service-down': 'A payment is lost if its webhook comes while the service answers no calls',
      'webhook-before-order': 'A payment is lost if its webhook comes before your app knows the link',
    },
    {
      'refund-before-payment': 'After a click on the refund button, a payment does not pay the order',
      'late-payment': 'A payment that comes late does not pay the order',
    },
  ],
  'not-kept': [
    {
      'cancel-after-success': 'A late cancel makes a paid order unpaid',
      'older-link-cancelled-again': 'A late cancel of an older link makes a paid order unpaid',
      'newer-link-cancelled': 'A cancel of another link makes a paid order unpaid',
      'success-with-cancel': 'A cancel that comes together with the payment undoes it',
    },
    {
      'returned-often': 'A visit to the return page makes a paid order unpaid',
      'return-twice': 'A visit to the return page makes a paid order unpaid',
      'cancel-redirect-after-success':
        'A paid order becomes unpaid when the customer returns with status=cancel',
      'return-cancelled-after-payment':
        'A paid order becomes unpaid when the customer returns with status=cancel',
      'webhook-during-redirect':
        'A visit to the return page undoes a payment whose webhook comes at the same moment',
    },
    {
      'resent-later': 'A webhook that comes again makes a paid order unpaid',
      'repeated-differently': 'A repeated webhook with different bytes makes a paid order unpaid',
      'second-payment': 'A second payment makes a paid order unpaid',
    },
    {
      'second-tab-after-payment': 'A paid order becomes unpaid when the customer places it again',
      'older-link-paid-during-order': 'An order that is placed again while it is paid loses the payment',
      'webhook-before-order':
        'If a payment comes while your app still waits for the link, the order is paid, and then open again',
    },
    {
      'killed-after-answer': 'After your app starts again, paid orders are unpaid',
      'late-repetition': 'A paid order becomes unpaid when its webhook comes again later',
      'late-cancel': 'A late cancel makes a paid order unpaid',
    },
  ],
  'taken-back': [
    {
      'cancel-after-success': 'A late cancel undoes the fulfillment of a paid order, or puts its goods back',
      'older-link-cancelled-again':
        'A late cancel of an older link undoes the fulfillment of a paid order, or puts its goods back',
      'newer-link-cancelled':
        'A cancel of another link undoes the fulfillment of a paid order, or puts its goods back',
      'success-with-cancel':
        'A cancel that comes together with the payment undoes its fulfillment, or puts the goods back',
    },
    {
      'cancel-redirect-after-success':
        'A return with status=cancel undoes the fulfillment of a paid order, or puts its goods back',
    },
    {
      'killed-after-answer': 'After your app starts again, the fulfillment of paid orders is undone',
      'closing-look': 'Some seconds later, the fulfillment of a paid order is undone',
      'late-repetition': 'A webhook that comes again later undoes the fulfillment of a paid order',
      'late-cancel': 'A late cancel undoes the fulfillment of a paid order, or puts its goods back',
    },
  ],
  'set-back': [
    {
      'late-repetition': 'A webhook that comes again sets a shipped order back to an earlier state',
    },
  ],
  'not-fulfilled': [
    {
      repeated: 'A paid order is not fulfilled, if its webhook comes twice',
      'success-after-cancel': 'An order that is paid after a cancel is not fulfilled',
      'newer-link-paid': 'An order that is paid by a second link is not fulfilled',
      'many-at-once': 'If many customers pay at once, some orders are not fulfilled',
      'connection-lost':
        'A paid order is not fulfilled, if the connection breaks and the webhook comes again',
    },
    {
      'killed-after-answer':
        'If your app stops right after its answer to a webhook, a part of the fulfillment is lost',
    },
    {
      'refund-clicked-twice':
        'An order that is placed and paid again after its refund is not fulfilled again',
      'refund-before-fulfilment':
        'If a part is refunded before an order is fulfilled, the rest is not fulfilled',
    },
  ],
  'not-accepted': [
    { 'killed-after-answer': 'After your app starts again, it refuses the payment of an order' },
    {
      'form-encoded-brackets': 'Your app does not accept the webhook of a payment',
      cancelled: 'Your app does not accept the webhook of a cancel',
      repeated: 'Your app does not accept a webhook that comes again',
      'resent-later': 'Your app does not accept a webhook that comes again',
      'refused-first': 'After {refused}, your app also refuses the real payment',
    },
    inForm(notAccepted),
    { ...inJson(notAccepted), 'json-fields': 'Your app refuses a webhook in JSON with {field}' },
    {
      'success-after-cancel': 'Your app refuses the payment of a link that was cancelled',
      'success-after-cancel-redirect': 'Your app refuses a payment after a return with status=cancel',
      'older-link-paid': 'Your app refuses the payment of an older link',
      'newer-link-paid': 'Your app refuses the payment of a second link, after a cancel',
      'both-links-paid': 'Your app refuses the second payment of an order',
    },
    {
      'note-empty': 'Your app refuses the payment of an order without a note',
      'note-utf8': 'Your app refuses the payment of an order whose note has letters like ë',
      'note-reserved': 'Your app refuses the payment of an order whose note has signs like & and +',
      'note-four-bytes': 'Your app refuses the payment of an order whose note has emoji',
      'note-long': 'Your app refuses the payment of an order with a long note',
      'note-odd': 'Your app refuses the payment of an order with {note}',
    },
    {
      'cancelled-twice': 'Your app does not accept a cancel that comes again',
      'cancel-after-success': 'Your app does not accept a late cancel of a paid order',
      'cancel-after-refund': 'Your app does not accept a late cancel of a refunded order',
      'success-after-refund': 'Your app does not accept a webhook that comes again after the refund',
    },
    {
      'changed-order-paid': 'After an order was placed again for another price, your app refuses its payment',
    },
    {
      'many-at-once': 'If many customers pay at once, your app does not accept some of their payments',
    },
    {
      'amount-whole': 'Your app refuses a payment in whole euros, such as 10',
      'amount-one-decimal': 'Your app refuses an amount with one decimal, such as 10.5',
      'amount-two-decimals': 'Your app refuses an amount with two decimals, such as 10.50',
      'amount-odd': 'Your app refuses the payment of the exact amount of an order of {amount}',
    },
    {
      'status-lowercase': 'Your app refuses the status success in lower case',
      'pay-id-is-not-id': 'Your app refuses a pay_id that differs from the id of the link',
      'pay-id-large': 'Your app refuses a large pay_id',
    },
  ],
  'not-refused': [
    {
      'unknown-pay-id': 'Your app fails when a webhook belongs to no order',
      'garbage-form': 'Your app fails when it cannot read a webhook',
      'garbage-json': 'Your app fails when it cannot read a webhook',
      'empty-body': 'Your app fails when a webhook is empty',
    },
    {
      'missing-status': 'Your app fails when a webhook has no status',
      'missing-amount': 'Your app fails when a webhook has no valid amount',
      'missing-pay-id': 'Your app fails when a webhook has no pay_id',
      'missing-user-id': 'Your app fails when a webhook has no user_id',
      'unknown-status': 'Your app fails when a webhook has a status that it does not know',
    },
  ],
  'wrong-refund': [
    {
      'refund-of-a-part': 'A refund of a part is recorded wrongly',
      'refund-of-right-payment': 'A refund names the wrong payment',
      'refund-after-forgeries': 'A forged webhook changes which payment or amount is refunded',
    },
    {
      'refund-refused': 'A refund that the service has not made is recorded as made',
      'service-down': 'While the service is down, a refund is recorded as made',
    },
    {
      'refund-before-fulfilment': 'A refunded order is fulfilled all the same',
    },
    { 'killed-after-answer': 'After your app starts again, a refunded order is fulfilled' },
    {
      'second-payment': 'An order that is paid twice is refunded wrongly',
      'second-payment-at-once': 'An order that is paid twice is refunded wrongly',
      'both-links-paid': 'An order that is paid twice is refunded wrongly',
      'both-links-paid-at-once': 'An order that is paid twice is refunded wrongly',
      'payment-after-refund': 'An order that is paid twice is refunded wrongly',
    },
  ],
  'refund-repeated': [
    {
      'both-links-paid': 'If the webhook of a second payment comes again, your app requests its refund again',
      'second-payment': 'If the webhook of a second payment comes again, your app requests its refund again',
      'repeated-after-refund': 'A webhook that comes again makes your app request another refund',
    },
    { 'refund-clicked-twice': 'A refund is requested several times' },
    { 'refund-of-a-part': 'The refund of a part is requested for each payment of the order' },
    { 'no-further-links': 'Your app repeats a refund that the service refuses, again and again' },
  ],
  'wrong-link': [
    {
      'note-shared': 'Two customers with the same note get the same pay link',
      'two-orders-of-one-customer': 'The second order of a customer gets the pay link of the first one',
    },
    {
      'newer-link-paid': 'The second link of an order has a different amount',
      'both-links-paid': 'The second link of an order has a different amount',
    },
    { 'changed-order-paid': 'Who orders again for another price gets a link with an old price' },
    {
      'refund-clicked-twice': 'Who orders again after a refund gets the used pay link, and cannot pay',
    },
  ],
  'refund-amount': [
    {
      'refund-clicked-twice': 'A refund is requested or recorded with a wrong amount',
      'refund-of-a-part': 'A refund of a part is requested with a wrong amount',
      'killed-after-answer': 'After your app is stopped during a refund, it requests a different amount',
      'refund-of-changed-order': 'A refund has the price of today, not the amount that was paid',
      'both-links-paid': 'If an order is paid twice, the wrong amount is sent back',
    },
  ],
  'refund-forgotten': [
    { 'killed-after-answer': 'If your app stops during a refund, it never finishes the refund' },
  ],
  'order-lost': [
    { 'many-at-once': 'If many customers order and pay at once, your app loses some of their orders' },
    { 'killed-after-answer': 'After your app starts again, it has lost orders that customers can still pay' },
  ],
  'order-refused': [
    {
      'service-down':
        'After the service was down, your app takes no orders, although the service works again',
    },
    {
      'killed-after-answer':
        'If your app stops while it creates a link, its customer can order only much later, or never',
    },
    { 'many-at-once': 'If many customers order at once, your app refuses some of their orders' },
    { 'note-empty': 'Orders without a note get no payment link' },
    Object.fromEntries(NOTE_CASES.map((name) => [name, 'Orders with some notes get no payment link'])),
  ],
  'unpaid-webhook': [
    {
      'redirect-of-another-payment':
        'The return page asks the service for the webhook of a payment that nobody has made',
      'late-payment': 'Your app asks the service for the webhook Success of orders that nobody has paid',
    },
  ],
  'unknown-state': [{ 'many-at-once': 'If many customers order at once, some of their orders get lost' }],
  'wrong-record': [
    { 'refund-refused': 'A payment that comes during a refund of its order gets lost' },
    {
      'old-price-paid':
        'If an older link is paid, your app records the price of today instead of what was paid',
    },
  ],
  'payment-forgotten': [
    {
      'refund-refused': 'After a refund has failed, your app no longer sends back second payments of orders',
    },
    {
      'killed-after-answer':
        'If your app stops right after the second payment of an order, it never sends this payment back',
    },
  ],
  'unasked-refund': [
    { 'refund-of-a-part': 'A refund of 0 sends money back' },
    {
      repeated: 'Your app refunds a payment whose webhook comes again',
      'resent-later': 'Your app refunds a payment whose webhook comes again',
      'repeated-differently': 'Your app refunds a payment whose webhook comes again with different bytes',
      'killed-after-answer': 'After your app starts again, it refunds a payment whose webhook comes again',
      'late-repetition': 'Your app refunds a payment whose webhook comes again later',
      'closing-look': 'Some seconds later, your app refunds a paid order',
      'cancel-after-success': 'A late cancel makes your app refund a paid order',
      'cancel-redirect-after-success':
        'Your app refunds a paid order when the customer returns with status=cancel',
      'late-cancel': 'A late cancel, or a late visit of the return page, makes your app refund a paid order',
    },
    {
      'older-link-cancelled-again': 'The cancel of one link makes your app refund the payment of another one',
      'newer-link-cancelled': 'The cancel of one link makes your app refund the payment of another one',
    },
  ],
  'cancelled-by-other': [{ 'note-shared': 'The cancel of one order changes another one with the same note' }],
  'changed-after-refund': [
    {
      'success-after-refund': 'A webhook that comes again changes a refunded order',
      'cancel-after-refund': 'A late cancel changes a refunded order',
      'return-after-refund': 'A visit to the return page changes a refunded order',
      'refund-of-a-part': 'A later event changes an order that was refunded in part',
      'repeated-after-refund': 'A webhook that comes during a refund undoes it',
      'payment-after-refund': 'A late cancel of its other link changes a refunded order',
      'refund-clicked-twice':
        'The webhook of a refunded payment pays or fulfills the order that is placed again',
    },
    { 'killed-after-answer': 'After your app starts again, a refunded order is paid again' },
  ],
  'not-cancelled': [
    { 'json-fields': 'A cancel in JSON does not cancel the order' },
    { 'killed-after-answer': 'After your app starts again, a cancelled order is open again' },
  ],
  'unasked-link': [
    {
      'page-reloaded': 'Each visit to the return page creates another payment link',
      'calls-after-payment': 'A visit to the return page of a paid order creates another payment link',
    },
  ],
  'page-fails': [
    { 'killed-after-answer': 'After your app starts again, the return pages of earlier orders are gone' },
    {
      ...onReturnPage('does not work'),
      'note-odd': 'The return page does not work if the order has {note}',
      'note-emoji': 'The return page does not work if the order has emoji in its note',
      'return-elsewhere': 'The return page does not work in another browser',
      'service-down': 'The return page of a paid order does not work while the service is down',
    },
  ],
  'redirect-loop': [onReturnPage('redirects in a circle')],
  'second-link': [
    {
      'second-tab': 'An order in a second tab creates a second payment link, and both can be paid',
      'second-browser': 'An order in a second browser creates a second payment link, and both can be paid',
      'double-click': 'A double click creates two payment links, and both can be paid',
    },
    {
      'second-tab-after-payment': 'A paid order gets another payment link',
    },
    {
      'answer-lost': 'If the answer of the service is lost, your app creates a second payment link',
      late: 'If the service answers late, your app creates a second payment link',
      'created-as-text': 'If ResponseCode is the text "1", your app creates a second payment link',
    },
  ],
  'foreign-link': [{ 'return-before-webhook': 'The page of an order offers its pay link at another host' }],
  'no-link': [
    { 'normal-order': 'Customers get no pay link for a good order' },
    {
      'amount-cents': 'Orders of some amounts, such as {amount}, get no payment link',
      'amount-large': 'Large orders get no payment link',
    },
    { 'note-empty': 'Orders without a note get no payment link' },
    Object.fromEntries(
      AGAIN_AFTER_FAILURE.map((name) => [
        name,
        'After a failed call, customers who order again get no payment link',
      ]),
    ),
  ],
  'shared-link': [
    {
      'two-orders-of-one-customer': 'The second order of a customer gets the pay link of the first one',
      'second-order': 'The second order of a customer gets the pay link of the first one',
    },
    { 'equal-orders': 'Two customers with equal orders get the same pay link' },
    { 'orders-at-once': 'If two customers order at the same moment, one gets the pay link of the other' },
  ],
  'wrong-amount': [
    {
      'amount-cents': 'The payment link of an order of {amount} has a different amount',
      'amount-large': 'The payment link of a large order has a different amount',
      'second-order': 'The second order of a customer gets a link with a wrong amount',
    },
  ],
  'false-message': [
    { 'second-order': 'The page of one order shows another order of the same customer' },
    {
      'return-forged': 'The return page says that an order is paid, although nobody has paid it',
      'return-cancelled': 'The return page says that a cancelled order is paid',
    },
    { 'return-before-webhook': 'The page of an order says a wrong price' },
    {
      'return-cancelled-after-payment':
        'The return page tells a customer who has paid that the payment has failed',
    },
  ],
  'stale-page': [
    { 'return-after-refund': 'The page of a refunded order still says that the order is paid' },
    { 'return-before-webhook': 'The return page still asks for the payment when the order is paid' },
  ],
  'hidden-failure': [
    {
      refused: 'If the service refuses the payment link, the customer is not told',
      'server-error-long':
        'If the service does not work, the customer is not told that no payment is possible',
      'too-many-calls':
        'If the service refuses calls for a while, the customer is not told that no payment is possible',
      'web-page':
        'If the service answers with a web page, the customer is not told that no payment is possible',
      'refused-as-text':
        'If ResponseCode is the text "0", the customer is not told that no payment is possible',
    },
  ],
}
