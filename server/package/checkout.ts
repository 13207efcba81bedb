import type { Page } from '@playwright/test'
import { describeValue } from '../client/option-value.ts'
import { browserActions, paymentMethods, type PaymentMethod } from '../domain/links/link.ts'

/**
 * The checkout page in the browser of the test. Each method resolves when the browser has reached the next page. If the page
 * does not have the button, the method fails and says why.
 */
export interface Checkout {
  /** Opens a pay link. Not needed if your app has sent the browser to the pay link. */
  open(link: string | { readonly payLink: string }): Promise<void>
  /** Pays, by card unless the options say otherwise. */
  pay(options?: CheckoutOptions): Promise<void>
  /** Cancels the payment. The link must be cancellable. */
  cancel(): Promise<void>
  /** Makes the bank decline the card. The customer can try again, or cancel. */
  decline(): Promise<void>
}

/** How the customer pays. With `browser: 'closes'`, the browser does not return to the shop. */
export type CheckoutOptions =
  | { readonly method?: PaymentMethod; readonly browser?: 'returns' }
  | { readonly method?: 'card'; readonly browser: 'closes' }

/** Only pages of the checkout have this style sheet. */
const STYLE_SHEET = 'link[href="/payment/style.css"]'

/** How long the app may take to create the link and redirect the browser to it. */
const ARRIVAL_TIMEOUT_MS = 10_000

/** The page object for the checkout in a page. */
export function createCheckout(page: Page): Checkout {
  /** Waits for a page of the checkout. `action` is the method that waits. */
  async function arrive(action: string): Promise<void> {
    try {
      await page.locator(STYLE_SHEET).waitFor({ state: 'attached', timeout: ARRIVAL_TIMEOUT_MS })
    } catch (cause) {
      // The test has ended in the meantime.
      if (page.isClosed()) throw cause
      throw new Error(
        `checkout.${action} needs the checkout page, and the browser is at ${page.url()}. Open the pay link with checkout.open(link), or make your app redirect the browser to it.`,
        { cause },
      )
    }
    await page.waitForLoadState('domcontentloaded')
  }

  async function explainMissing(action: string, missing: string, reason: string): Promise<Error> {
    const isOpen = (await page.getByRole('button', { name: PAY }).count()) > 0
    const heading = await page.getByRole('heading', { level: 1 }).first().textContent()
    const why = isOpen
      ? reason
      : `It shows ${JSON.stringify(heading)}. Only a link that is not used yet has it, so create a link for each payment.`
    return new Error(`checkout.${action} found no ${missing} at ${page.url()}. ${why}`)
  }

  /** Clicks a button, and waits for the next page. `reason` says why the button may be missing although the link can be paid. */
  async function click(action: string, name: string | RegExp, reason = ''): Promise<void> {
    await arrive(action)
    const button = page.getByRole('button', { name })
    if ((await button.count()) === 0) {
      throw await explainMissing(
        action,
        `button ${typeof name === 'string' ? `"${name}"` : '"Pay €…"'}`,
        reason,
      )
    }
    const failed = page.waitForEvent('requestfailed', {
      predicate: (request) => request.isNavigationRequest() && request.frame() === page.mainFrame(),
    })
    const left = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame())
    // One of the two events never happens, and its promise fails when the test ends.
    for (const event of [failed, left]) event.catch(() => undefined)
    const [outcome] = await Promise.all([Promise.race([left, failed]), button.click()])
    if ('failure' in outcome) {
      throw new Error(
        `After checkout.${action} the browser could not open ${outcome.url()}: ${outcome.failure()?.errorText}. Start your app before the test, or create the link without a callback URL.`,
      )
    }
  }

  return {
    async open(link) {
      const address: unknown = typeof link === 'object' && link !== null ? link.payLink : link
      if (typeof address !== 'string') {
        throw new TypeError(
          `checkout.open needs a pay link, or an object with payLink, such as the result of createLink, not ${describeValue(link)}.`,
        )
      }
      await page.goto(address)
    },
    async pay({ method = 'card', browser = 'returns' } = {}) {
      checkOption('method', method, paymentMethods)
      checkOption('browser', browser, browserActions)
      if (method === 'bank-transfer') {
        await arrive('pay')
        const choice = page.getByRole('radio', { name: 'Bank transfer' })
        if ((await choice.count()) === 0) {
          const reason = 'The link can only be paid by card. Create it with bankTransfer: true.'
          throw await explainMissing('pay', 'choice "Bank transfer"', reason)
        }
        await choice.check()
      }
      await click('pay', browser === 'closes' ? 'Pay, then close the browser' : PAY)
    },
    cancel: () =>
      click(
        'cancel',
        'Cancel payment',
        'The link is not cancellable: it was created with cancellable: false.',
      ),
    decline: () => click('decline', 'Decline the card'),
  }
}

const PAY = /^Pay €/

function checkOption(name: string, value: string, allowed: readonly string[]): void {
  if (allowed.includes(value)) return
  throw new TypeError(`checkout.pay: ${name} is ${allowed.join(' or ')}, not ${describeValue(value)}.`)
}
