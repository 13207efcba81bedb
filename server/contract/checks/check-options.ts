import { paymentEvents } from '../../domain/webhooks/payment-events.ts'
import { CUSTOMER_TIMEOUT_MS, ORDER_STATE_TIMEOUT_MS } from './check-times.ts'

// One entry defines everything about an option of a check: its flag, its field in the control API and in the tools for
// assistants, its type, its help and its description. Editors show the comment above it.

/** An option, and how the command line reads it. */
export interface CheckOption<Kind extends keyof CheckValues = keyof CheckValues> extends Described {
  readonly kind: Kind
}

/** The values of options, by kind. */
interface CheckValues {
  readonly text: string
  readonly list: readonly string[]
  readonly switch: boolean
  /** A whole number from 1. */
  readonly number: number
  /** In milliseconds. */
  readonly time: number
}

interface Described {
  /** What stands for the value in the help of the command. */
  readonly value?: string
  /** What it does. Begins with a small letter and has no period. */
  readonly text: string | ((words: Words) => string)
  /** Whether spaces and line ends around the value belong to it. */
  readonly isVerbatim?: boolean
  /** Whether the value is an address in the app. */
  readonly isAddress?: boolean
  /** The value of a flag that is passed without one. */
  readonly bare?: string
  /** The largest number. */
  readonly max?: number
}

/** How readers know options and times. */
interface Words {
  /** Names an option: `--state-url` or `stateUrl`. */
  name(option: string): string
  time(ms: number): string
}

const text = (option: Described): CheckOption<'text'> => ({ kind: 'text', ...option })
const list = (option: Described): CheckOption<'list'> => ({ kind: 'list', ...option })
const toggle = (option: Described): CheckOption<'switch'> => ({ kind: 'switch', ...option })
const number = (option: Described & { readonly max: number }): CheckOption<'number'> => ({
  kind: 'number',
  ...option,
})
const time = (option: Described): CheckOption<'time'> => ({ kind: 'time', ...option })

/** Options of both checks. */
export const sharedOptions = {
  /** Runs only these cases. */
  only: list({ value: '<case>,…', text: 'only these cases' }),
  /** Leaves these cases out, such as `json` for a receiver that deliberately reads forms only. */
  skip: list({ value: '<case>,…', text: 'all cases but these' }),
  /** The URL of an order's state in the app. Placeholders: `{order}`, `{note}`, `{payId}`, `{id}`, `{linkId}`, `{amount}`. */
  stateUrl: text({
    value: '<url>',
    isAddress: true,
    text: ({ name }) =>
      `address in your app that returns the state of an order as JSON; {note}, {payId}, {id}, {linkId} and {amount} are replaced, and {order} if ${name('orderUrl')} makes the orders`,
  }),
  /** The JSON Pointer (RFC 6901) of the state in that response: `/status`. */
  statePointer: text({ value: '<pointer>', text: 'JSON pointer to the state in its answer (/status)' }),
  /** The state that means paid, or several with commas between them: `paid`. */
  paidValue: text({
    isVerbatim: true,
    value: '<state>,…',
    text: 'the state that means paid, or several, like paid,shipped (paid)',
  }),
  /** The state that means cancelled. Left out if a cancel does not change the state. */
  cancelledValue: text({
    isVerbatim: true,
    value: '<state>',
    text: 'the state that means cancelled, if a cancel changes the state',
  }),
  /**
   * The JSON Pointer of the number of fulfilments in that response, or several with commas between them: `/parcels,/mails`. A
   * payment raises each of them by one.
   */
  countPointer: text({
    value: '<pointer>,…',
    text: 'JSON pointers to counters that each payment increases by one, like /parcels,/mails',
  }),
  /** The JSON Pointer of the amount that the app has received for the order, in euros. */
  receivedPointer: text({
    value: '<pointer>',
    text: 'JSON pointer to the amount that your app has received for the order',
  }),
  /** The JSON Pointer of the amount that the app has refunded, in euros. */
  refundedPointer: text({
    value: '<pointer>',
    text: 'JSON pointer to the amount that your app has refunded',
  }),
  /**
   * The body of the POST that places an order: JSON, otherwise a form. Placeholders, also in the order URL: `{order}`,
   * `{amount}`, `{note}`. The default of a caller check is `{"order":"{order}","amount":{amount},"note":"{note}"}`.
   */
  orderBody: text({
    isVerbatim: true,
    value: '<text>',
    text: ({ name }) =>
      `body of the POST that creates an order, as JSON or as a form; {order}, {amount} and {note} are replaced, and {form:name} by a field of the page at ${name('formUrl')} (empty; in a check of callers {"order":"{order}","amount":{amount},"note":"{note}"})`,
  }),
  /** The method with which an order is placed: `POST`. */
  orderMethod: text({
    value: '<method>',
    text: 'method of that request, if your app expects another one (POST)',
  }),
  /** The page with the form of the order. `{form:name}` in the body is the value of its field `name`, such as a CSRF token. */
  formUrl: text({
    value: '<url>',
    text: 'page with the form of the order: it is opened before each order, for its cookies and tokens',
  }),
  /**
   * How long the app may take to process a webhook, or in a caller check how long a customer may wait while the service is
   * slow, in milliseconds. Default: 5000, and 15000 in a caller check.
   */
  timeoutMs: time({
    value: '<time>',
    text: ({ time: write }) =>
      `how long your app may take to act on a webhook (${write(ORDER_STATE_TIMEOUT_MS)}), or in a check of callers to answer the customer (${write(CUSTOMER_TIMEOUT_MS)})`,
  }),
}

/** Options of the receiver check. */
export const receiverOptions = {
  /** Runs only the cases that find most, and ends without a closing look. */
  quick: toggle({ text: 'only the cases that find most, in a few seconds' }),
  /** The URL to which a POST creates an order in the app. Placeholders, also in the body: `{order}`, `{amount}`, `{note}`. */
  orderUrl: text({
    value: '<url>',
    isAddress: true,
    text: 'address in your app that creates an order on POST; {order}, {amount} and {note} are replaced',
  }),
  /**
   * The URL to which a POST makes the app request the refund of an order. Placeholders as in `stateUrl`, and
   * `{refundAmount}`, which lets the check choose the amount.
   */
  refundUrl: text({
    value: '<url>',
    isAddress: true,
    text: ({ name }) =>
      `address in your app that requests the refund of an order on POST, with the same placeholders as ${name('stateUrl')}, and {refundAmount}`,
  }),
  /**
   * Runs no cases, but every order of these events of one payment: `redirect`, `success`, `both`, `targets`, `duplicate`,
   * `resend`, `cancel`, `cancel-redirect`, `forged-cancel`, `refund`. `['all']` stands for `redirect`, two times `success`,
   * `cancel`, and with a refund URL `refund`. One text like `success → cancel` is one order.
   */
  interleave: list({
    value: '[<event>,…]',
    bare: 'all',
    text: ({ name }) =>
      `run every order of these events of one payment instead of the cases: ${paymentEvents.join(', ')} (redirect,success,success,cancel, and with ${name('refundUrl')} also refund)`,
  }),
  /** Runs no cases, but so many random histories of up to three orders. The first that fails is shortened. */
  histories: number({
    value: '<n>',
    max: 1_000,
    text: 'play so many random histories of up to three orders instead of the cases, and shorten the first one that fails',
  }),
  /** Chooses the random histories: 1. The command line chooses a random number. */
  seed: number({
    value: '<n>',
    max: 1_000_000_000,
    text: ({ name }) => `with ${name('histories')}: play those of an earlier run again`,
  }),
}

/** Options of the receiver check that need this machine, so the control API does not have them. */
export const localReceiverOptions = {
  /**
   * The command that starts the app. The check runs it, kills the app as soon as it has answered a webhook, and
   * runs the command again. Stop the app before the check.
   */
  restart: text({
    isVerbatim: true,
    value: '<command>',
    text: 'command that starts your app: check runs it, kills your app as soon as it has answered a webhook, and runs it again',
  }),
}

/** Options of the check of callers. */
export const callerOptions = {
  /** Text of the page that says that the payment could not be started. Required if its HTTP status is below 400, or 500. */
  failureText: text({
    isVerbatim: true,
    value: '<text>',
    text: 'text that your page shows if a payment cannot start (any HTTP status of 400 or more, except 500)',
  }),
  /** Text that only the page of a paid order has. */
  paidText: text({
    isVerbatim: true,
    value: '<text>',
    text: 'text that only the page of a paid order has',
  }),
}

/** The values of some options. */
export type CheckOptionValues<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends CheckOption<infer Kind>
    ? CheckValues[Kind] | undefined
    : never
}

/** The flag of an option, without dashes: `state-url`, and `timeout` for `timeoutMs`. */
export const checkFlag = (option: string): string =>
  option.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The help of an option in words for the reader. */
export const describeCheckOption = ({ text: help }: CheckOption, words: Words): string =>
  typeof help === 'string' ? help : help(words)
