/** @jsxImportSource hono/jsx */
import type { EventOf } from '../../../domain/events/event.ts'
import type { Link } from '../../../domain/links/link.ts'
import { formatEuros } from '../../../domain/money/cents.ts'
import { Mark } from './mark.tsx'
import { checkoutPath } from '../paths.ts'
import { PageLayout } from './page.tsx'

interface Props {
  readonly link: Link
  readonly payee: string
}

/** Shown if a link has no callback URL. */
export const SuccessPage = ({ link, payee }: Props) => (
  <PageLayout title="Payment complete" payId={link.payId} developer={<PlaceholderNote />}>
    <Mark sign="done" />
    <h1>Payment complete</h1>
    <p class="amount">{formatEuros(link.amount)}</p>
    <p class="muted">
      Paid to <strong dir="auto">{payee}</strong>
    </p>
    <p class="reference">Reference {link.payId}</p>
  </PageLayout>
)

/** Shown if a link has no callback URL. */
export const CancelledPage = ({ link, payee }: Props) => (
  <PageLayout title="Payment cancelled" payId={link.payId} developer={<PlaceholderNote />}>
    <Mark sign="over" />
    <h1>Payment cancelled</h1>
    <p class="muted">
      Nothing was paid to <strong dir="auto">{payee}</strong>
    </p>
    <p class="reference">Reference {link.payId}</p>
  </PageLayout>
)

const PlaceholderNote = () => (
  <p>
    This page replaces the shop's page. Pass <code translate="no">callback_url</code> when you create a link,
    and the browser goes there instead.
  </p>
)

type LostRedirect = Pick<EventOf<'redirect.lost'>, 'location' | 'mappedFrom'>

/** Shown if the browser was closed before the redirect to the shop. */
export const ClosedPage = ({ link, redirect }: { link: Link; redirect: LostRedirect | null }) => (
  <PageLayout title="Browser closed" payId={link.payId}>
    <Mark sign="over" />
    <h1>Browser closed</h1>
    <p class="muted">
      Payment {link.payId} succeeded, but the customer did not return to the shop. Only the webhook reports
      it.
    </p>
    <dl>
      <dt>Lost redirect</dt>
      <dd>
        {redirect?.location ?? <em>none, because there is no callback_url</em>}
        {redirect?.mappedFrom !== undefined && <em>, mapped from {redirect.mappedFrom}</em>}
      </dd>
    </dl>
  </PageLayout>
)

/** Shown if the outcome in the address has not happened. */
export const OtherOutcomePage = ({ link }: { link: Link }) => (
  <PageLayout title="This payment does not have this outcome" payId={link.payId}>
    <Mark sign="over" />
    <h1>This payment does not have this outcome</h1>
    <p class="reference">Reference {link.payId}</p>
    <a class="button" href={checkoutPath(link)}>
      Open the payment
    </a>
  </PageLayout>
)
