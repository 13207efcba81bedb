/** @jsxImportSource hono/jsx */
import type { Link } from '../domain/link.ts'
import { formatEuros } from '../domain/money.ts'
import { Page } from './page.tsx'

interface Props {
  readonly link: Link
  readonly payee: string
}

/** The customer chose bank transfer: the page waits for the operator, and loads itself again. */
export const WaitingPage = ({ link, payee }: Props) => (
  <Page
    title="Waiting for your transfer"
    payId={link.payId}
    isWaiting
    developer={
      <>
        <h2>For the developer</h2>
        <p class="muted">
          An operator approves or rejects the transfer in the inspector. This page goes on by itself.
        </p>
      </>
    }
  >
    <h1>Waiting for your transfer</h1>
    <p class="muted">Send the amount to this account. The page goes on when it has arrived.</p>
    <dl>
      <dt>Amount</dt>
      <dd>{formatEuros(link.amount)}</dd>
      <dt>Recipient</dt>
      <dd>{payee}</dd>
      <dt>IBAN (sample, no real account)</dt>
      <dd>DE00 0000 0000 0000 0000 00</dd>
      <dt>Reference</dt>
      <dd>{link.payId}</dd>
    </dl>
  </Page>
)

/** Shown where a link has no callback URL. */
export const SuccessPage = ({ link, payee }: Props) => (
  <Page title="Payment complete" payId={link.payId}>
    <h1>Payment complete</h1>
    <p class="amount">{formatEuros(link.amount)}</p>
    <p class="muted">
      Paid to {payee}. Reference {link.payId}.
    </p>
  </Page>
)

/** Shown where a link has no callback URL. */
export const CancelledPage = ({ link, payee }: Props) => (
  <Page title="Payment cancelled" payId={link.payId}>
    <h1>Payment cancelled</h1>
    <p class="muted">
      Nothing was paid to {payee}. Reference {link.payId}.
    </p>
  </Page>
)

/** The developer closed the browser on the way back to the shop. */
export const ClosedPage = ({ link, location }: { link: Link; location: string }) => (
  <Page title="Browser closed" payId={link.payId}>
    <h1>Browser closed</h1>
    <p>
      Payment {link.payId} went through, but the customer never came back to the shop. Only the webhook tells
      of it.
    </p>
    {location !== '' && (
      <dl>
        <dt>Redirect that got lost</dt>
        <dd>{location}</dd>
      </dl>
    )}
  </Page>
)

const ENDED = {
  paid: 'This link has already been used',
  cancelled: 'This payment was cancelled',
  deleted: 'This link is no longer available',
} as const

/** A link that nothing can be done with any more. */
export const EndedPage = ({ link }: { link: Link & { status: keyof typeof ENDED } }) => (
  <Page title={ENDED[link.status]} payId={link.payId}>
    <h1>{ENDED[link.status]}</h1>
    <p class="muted">Reference {link.payId}. Ask the shop for a new link if you still want to pay.</p>
  </Page>
)

export const UnknownPage = () => (
  <Page title="This payment link does not exist">
    <h1>This payment link does not exist</h1>
    <p class="muted">Check the address, or ask the shop for a new link.</p>
  </Page>
)

export const BadFormPage = ({ reason }: { reason: string }) => (
  <Page title="This form was not understood">
    <h1>This form was not understood</h1>
    <p>{reason}</p>
  </Page>
)
