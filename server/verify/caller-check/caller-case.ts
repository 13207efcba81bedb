import type { SecretFinder } from '../../domain/secrets/secret-finder.ts'
import type { CallerProblem } from '../../contract/checks/caller-check.ts'
import type { CheckedOrder } from '../../contract/checks/check.ts'
import type { WantedOrder } from '../receiver-check/order-template.ts'
import type { OrderPage } from '../receiver-check/submit-order.ts'
import type { OrderWatch } from '../receiver-check/watch-order.ts'
import type { CallerRunOptions } from './caller-run-options.ts'
import type { ApiCall } from '../receiver-check/sandbox-port.ts'
import type { CallerSandbox } from './caller-sandbox.ts'
import type { CookieJar } from '../receiver-check/cookie-jar.ts'
import type { PageAnswer, Shown } from '../receiver-check/open-page.ts'

/** One test case for an app that calls the API. */
export interface CallerCase {
  readonly name: string
  readonly group: string
  readonly title: string
  readonly why: string
  readonly expected: string
  readonly needs?: readonly Need[]
  /** Whether other cases may run at the same time. A case with a fault needs the account for itself. */
  readonly isBesideOthers?: true
  /** Returns what is wrong, or `undefined`. */
  run(context: CallerContext): Promise<CallerFailure | undefined>
}

/**
 * What a case needs. With `order`, `amount` or `note`, the check chooses this value. With `state`, the state of orders can be
 * read. With `text`, the text of a paid page is known. With `paid`, either of the two. With `running`, the sandbox's clock runs.
 */
export type Need = 'order' | 'amount' | 'note' | 'state' | 'paid' | 'text' | 'running'

export interface CallerFailure {
  readonly problem: CallerProblem
  readonly seen: string
}

/** What the cases of one check share. */
export interface CallerContext {
  readonly orderUrl: string
  readonly options: CallerRunOptions & { readonly orderBody: string }
  readonly sandbox: CallerSandbox
  readonly watch: OrderWatch | undefined
  /** The account with which the app creates links. */
  readonly account: string
  /** Finds the API key of the account in a text. */
  readonly key: SecretFinder
  /** Whether the app gives its links the notes of its orders. */
  readonly passesNotes: boolean
  /** Whether other cases place orders at the same time. The notes then show which link belongs to which order. */
  readonly isBesideOthers?: true
  /** Where the app takes orders. */
  readonly page: OrderPage
  /** Everything that the app has shown so far, each with the address or the name of the page. */
  readonly shown: Shown[]
}

/** An order, what the customer got for it, and what the sandbox recorded. */
export interface PlacedOrder {
  readonly order: WantedOrder
  readonly answers: readonly PageAnswer[]
  /** The cookies of the customer. */
  readonly cookies: CookieJar
  readonly calls: readonly ApiCall[]
  readonly links: readonly CheckedOrder[]
  /** Whether a case has shown that the app refunds what is paid twice. */
  readonly areSeveralLinksRight?: true
}
