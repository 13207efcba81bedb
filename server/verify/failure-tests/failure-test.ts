import type { Exchange } from '../../domain/http/exchange.ts'
import type { FaultPoint } from '../../domain/faults/fault.ts'
import type { PaymentMethod } from '../../domain/links/link.ts'
import type { EgressRules } from '../../domain/network/egress-rules.ts'
import type { SeedInput } from '../../domain/state/seed-input.ts'

/** The sandbox that a test starts. */
export interface TestSandbox extends EgressRules {
  /** The address at which the app under test calls the service. `null` if the app does not call it. */
  readonly url: string | null
  /** Accounts, behaviors and clock. */
  readonly seed: SeedInput
}

/** The fields of a new link, with the names of the Node API. */
export interface TestLinkFields {
  readonly amount: number
  readonly note?: string
  readonly recipients?: readonly { readonly token: string; readonly share: number }[]
  readonly splitType?: 'normal' | 'absolute'
  readonly callbackUrl?: string
  readonly paymentEndpoint?: string
  readonly cancellable?: boolean
  readonly bankTransfer?: boolean
}

/** Actions that need only the link. */
export type LinkAction =
  | 'decline'
  | 'deleteLink'
  | 'approveTransfer'
  | 'rejectTransfer'
  | 'approveRefund'
  | 'rejectRefund'
  | 'openDispute'
  | 'winDispute'
  | 'loseDispute'

export type TestStep =
  /** Runs one case of a check. `module` is the path of the module with functions of the app. */
  | {
      readonly kind: 'check'
      readonly isCaller: boolean
      readonly url: string
      readonly options: Readonly<Record<string, unknown>>
      readonly module: string | undefined
    }
  /** `isOfApp` is true if the app creates the order. The fault then affects a call of the app. */
  | {
      readonly kind: 'fault'
      readonly on: FaultPoint
      readonly script: readonly string[]
      readonly isOfApp?: true
    }
  /** The app creates an order, or the test creates its link. */
  | { readonly kind: 'create'; readonly fields: TestLinkFields }
  /** If `returns`, the customer's browser opens the page of the shop afterwards. */
  | {
      readonly kind: 'pay'
      readonly method: PaymentMethod
      readonly browser: 'returns' | 'closes'
      readonly returns: boolean
    }
  | { readonly kind: 'cancel'; readonly browser: 'returns' | 'closes'; readonly returns: boolean }
  | { readonly kind: 'act'; readonly action: LinkAction }
  | { readonly kind: 'refund'; readonly amount: number; readonly full: boolean }
  | { readonly kind: 'resend'; readonly status: 'Success' | 'cancel' }
  | { readonly kind: 'replay' }
  | { readonly kind: 'forge'; readonly forgery: string; readonly status: 'Success' | 'cancel' }
  | { readonly kind: 'clock'; readonly now: string; readonly mode: 'running' | 'frozen' }
  /** Sends a call of the API again, and expects a success. */
  | { readonly kind: 'call'; readonly request: Exchange['request'] }
  /** Expects that every webhook of the link was delivered. */
  | { readonly kind: 'expect-delivered' }

/** A test that reproduces a failure. `write-vitest.ts` and `write-shell.ts` write it as a file. */
export interface FailureTest {
  /** The name of the file, without its extension. */
  readonly name: string
  readonly title: string
  /** What was expected and what was seen, one line each. */
  readonly about: readonly string[]
  readonly sandbox: TestSandbox
  readonly steps: readonly TestStep[]
}

/** A test as a file. */
export interface TestFile {
  readonly name: string
  readonly text: string
}

export const makesOrder = ({ steps }: Pick<FailureTest, 'steps'>): boolean =>
  steps.some(({ kind }) => kind === 'create')

/** The name of a file, made from any text. */
export const fileNameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)

/** One line of a comment. Removes line breaks, because the text may come from someone else. */
export const commentLine = (text: string): string => text.replace(/[\s\u2028\u2029]+/g, ' ').trim()

/** What a reader has to do before the first run. */
export const preparation = (url: string | null, what: 'test' | 'script'): string[] =>
  url === null
    ? ['Your app must be running.']
    : [
        `The ${what} starts a sandbox at ${url}. Stop any other sandbox that runs there.`,
        'Your app must be running, and call the service at this address with the same API key as before.',
      ]
