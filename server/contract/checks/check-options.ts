import { paymentEvents } from '../../domain/webhooks/payment-events.ts'
import { CUSTOMER_TIMEOUT_MS, ORDER_STATE_TIMEOUT_MS } from './check-times.ts'

// Each entry defines an option of a check once, for all places: the flag, the field in the control API and in the MCP tools, the
// type, the help, and the comment that editors show.

/** An option, and how the command line reads it. */
export interface CheckOption<Kind extends keyof CheckValues = keyof CheckValues> extends Described {
  readonly kind: Kind
}

/** The type of an option's value, by kind. */
interface CheckValues {
  readonly text: string
  readonly list: readonly string[]
  readonly switch: boolean
  /** A whole number of at least 1. */
  readonly number: number
  /** In milliseconds. */
  readonly time: number
}

interface Described {
  /** The placeholder of the value in the help of the command. */
  readonly value?: string
  /** What the option does, starting with a lowercase letter and without a period. */
  readonly text: string | ((words: Words) => string)
  /** Whether spaces and line ends around the value are kept. */
  readonly isVerbatim?: boolean
  /** Whether the value is an address in the app. */
  readonly isAddress?: boolean
  /** The value if the flag is passed without a value. */
  readonly bare?: string
  readonly max?: number
}

/** How a text refers to options and writes times, which differs between the command line and code. */
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

export const sharedOptions = {
  only: list({ value: '<case>,…', text: 'only these cases' }),
  skip: list({
    value: '<case>,…',
    text: 'leave out these cases, such as json if your receiver reads only forms on purpose',
  }),
  stateUrl: text({
    value: '<url>',
    isAddress: true,
    text: ({ name }) =>
      `address in your app that returns the state of an order as JSON; {note}, {payId}, {id}, {linkId} and {amount} are replaced, and {order} if ${name('orderUrl')} creates the orders`,
  }),
  statePointer: text({
    value: '<pointer>',
    text: 'JSON pointer (RFC 6901) to the state in this JSON (/status)',
  }),
  paidValue: text({
    isVerbatim: true,
    value: '<state>,…',
    text: 'states that mean paid, like paid,shipped (paid)',
  }),
  cancelledValue: text({
    isVerbatim: true,
    value: '<state>',
    text: 'state that means cancelled, if a cancel changes the state',
  }),
  countPointer: text({
    value: '<pointer>,…',
    text: 'JSON pointers to counters that each payment increases by one, like /parcels,/emails',
  }),
  receivedPointer: text({
    value: '<pointer>',
    text: 'JSON pointer to the amount that your app has received for the order, as a number or a text like 42,50 €, or to a list of payments, which may also have refunds',
  }),
  refundedPointer: text({
    value: '<pointer>',
    text: 'JSON pointer to the amount that your app has refunded, or to a list of refunds; in a list that also has payments, refunds are negative or have a kind or type like refund',
  }),
  orderBody: text({
    isVerbatim: true,
    value: '<text>',
    text: ({ name }) =>
      `body of the POST that creates an order, as JSON or as a form; {order}, {amount} and {note} are replaced, and {form:name} is replaced by a field of the page at ${name('formUrl')} (empty; in the caller check {"order":"{order}","amount":{amount},"note":"{note}"})`,
  }),
  orderMethod: text({
    value: '<method>',
    text: 'method of the request that creates an order (POST)',
  }),
  formUrl: text({
    value: '<url>',
    text: 'page with the order form; the check opens it before each order, to get its cookies and tokens',
  }),
  timeoutMs: time({
    value: '<time>',
    text: ({ time: write }) =>
      `how long your app may take to act on a webhook (${write(ORDER_STATE_TIMEOUT_MS)}), or in the caller check to answer the customer (${write(CUSTOMER_TIMEOUT_MS)})`,
  }),
}

/** Options of the receiver check. */
export const receiverOptions = {
  quick: toggle({ text: 'only the cases that find the most mistakes, in a few seconds' }),
  orderUrl: text({
    value: '<url>',
    isAddress: true,
    text: 'address in your app that creates an order on POST; {order}, {amount} and {note} are replaced',
  }),
  refundUrl: text({
    value: '<url>',
    isAddress: true,
    text: ({ name }) =>
      `address in your app that requests the refund of an order on POST, with the same placeholders as ${name('stateUrl')}, and {refundAmount}`,
  }),
  interleave: list({
    value: '[<event>,…]',
    bare: 'all',
    text: ({ name }) =>
      `instead of the cases, run one payment with these events in every possible sequence: ${paymentEvents.join(', ')} (redirect,success,success,cancel, and with ${name('refundUrl')} also refund); to run only one sequence, write it like "success → cancel"`,
  }),
  histories: number({
    value: '<n>',
    max: 1_000,
    text: 'instead of the cases, play this many random histories of up to three orders; stops at the first one that fails, and shortens it',
  }),
  seed: number({
    value: '<n>',
    max: 1_000_000_000,
    text: ({ name }) => `with ${name('histories')}: play the histories of an earlier run again`,
  }),
}

/** Options of the receiver check that refer to this machine. The control API does not have them. */
export const localReceiverOptions = {
  restart: text({
    isVerbatim: true,
    value: '<command>',
    text: 'command that starts your app; check runs it, kills your app as soon as it has answered a webhook, and runs it again',
  }),
}

/** Options of the caller check. */
export const callerOptions = {
  failureText: text({
    isVerbatim: true,
    value: '<text>',
    text: 'text of the page that your app shows if a payment cannot start (any page with an HTTP status from 400 to 599, except 500)',
  }),
  paidText: text({
    isVerbatim: true,
    value: '<text>',
    text: 'text that only the page of a paid order has',
  }),
}

/** The values for a table of check options. */
export type CheckOptionValues<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends CheckOption<infer Kind>
    ? CheckValues[Kind] | undefined
    : never
}

/** The flag of an option without dashes: `state-url`, or `timeout` for `timeoutMs`. */
export const checkFlag = (option: string): string =>
  option.replace(/Ms$/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** How code refers to options and writes times. */
const codeWords: Words = { name: (option) => `\`${option}\``, time: (ms) => `${ms} ms` }

/** The description of an option for code, as a sentence. */
export function checkOptionComment(option: CheckOption): string {
  const words = describeCheckOption(option, codeWords)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** The help of an option, in the words of the command line or of code. */
export const describeCheckOption = ({ text: help }: CheckOption, words: Words): string =>
  typeof help === 'string' ? help : help(words)
