import { failureOf as failureOfKind } from '../app/run/failure.ts'
import type { SecretFinder } from '../../domain/secrets/secret-finder.ts'
import type { CallerProblem } from '../../contract/checks/caller-check.ts'
import type { CheckedOrder, Fact } from '../../contract/checks/check.ts'
import type { WantedOrder } from '../app/orders/order-template.ts'
import type { OrderPage } from '../app/orders/submit-order.ts'
import type { OrderWatch } from '../app/state/watch-order.ts'
import type { CallerRunOptions } from './caller-run-options.ts'
import type { ApiCall } from '../app/run/sandbox-port.ts'
import type { CallerSandbox } from './caller-sandbox.ts'
import type { LinkAddresses } from '../app/orders/link-addresses.ts'
import type { CookieJar } from '../app/orders/cookie-jar.ts'
import type { PageAnswer } from '../app/orders/open-page.ts'
import type { ShownTexts } from '../app/orders/shown-texts.ts'

/** One test case for an app that calls the API. */
export interface CallerCase {
  readonly name: string
  readonly group: string
  readonly title: string
  readonly why: string
  readonly expected: string
  readonly needs?: readonly Need[]
  /** True if other cases may run at the same time. While a case with a fault runs, no other case may use the account. */
  readonly isBesideOthers?: true
  /** Throws `CallerFailure` if something is wrong. */
  run(context: CallerContext): Promise<void>
}

/**
 * What a case needs. `order`, `amount`, `note`: the check chooses this value. `state`: the state of orders can be read. `text`: a
 * text that the page of a paid order contains is known. `paid`: one of the previous two. `running`: the sandbox's clock runs.
 */
export type Need = 'order' | 'amount' | 'note' | 'state' | 'paid' | 'text' | 'running'

interface SeenProblem {
  readonly problem: CallerProblem
  readonly seen: string
  /** Whether a page did not load in time. */
  readonly isLate?: true
  /** What certainly explains the failure. */
  readonly fact?: Fact
}

/** Thrown to fail a case. */
export class CallerFailure extends Error {
  override readonly name = 'CallerFailure'
  readonly seenProblem: SeenProblem

  constructor(seenProblem: SeenProblem) {
    super(seenProblem.seen)
    this.seenProblem = seenProblem
  }
}

/** The failure that a check of a caller throws. */
export const failureOf = (check: () => void | Promise<void>): Promise<CallerFailure | undefined> =>
  failureOfKind(CallerFailure, check)

/** What the cases of one check share. */
export interface CallerContext {
  readonly orderUrl: string
  readonly options: CallerRunOptions & { readonly orderBody: string }
  readonly sandbox: CallerSandbox
  readonly watch: OrderWatch | undefined
  /** The account of the links that the app creates. */
  readonly account: string
  /** Finds the API key of the account in texts. */
  readonly key: SecretFinder
  /** Whether the app sends the notes of its orders to the service. */
  readonly passesNotes: boolean
  /** True if other cases place orders at the same time. The notes then tell which link belongs to which order. */
  readonly isBesideOthers?: true
  readonly page: OrderPage
  readonly shown: ShownTexts
  readonly addresses: LinkAddresses
  /** Whether `--paid-text` counts where no reader of a page sees it, such as in a script. Found out when it matters. */
  readonly hiddenPaidText: { counts?: Promise<boolean> }
  /** Whether an order that the app refuses for a while after a failed call gets a link in the end. Found out when it matters. */
  readonly pauses: { areOver?: Promise<boolean> }
}

/** An order, what the customer got in response, and what the sandbox has recorded. */
export interface PlacedOrder {
  readonly order: WantedOrder
  readonly answers: readonly PageAnswer[]
  readonly cookies: CookieJar
  readonly calls: readonly ApiCall[]
  readonly links: readonly CheckedOrder[]
  /** True if a case has proved that the app refunds an order that is paid twice. */
  readonly areSeveralLinksRight?: true
}
