/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import { truncate } from '../../../domain/text/truncate.ts'
import { decodeLinkId } from '../../../domain/links/link-id.ts'
import type { Link } from '../../../domain/links/link.ts'
import { Mark } from './mark.tsx'
import { checkoutPath } from '../paths.ts'
import { PageLayout } from './page.tsx'
import { closestOutcome, outcomes, outcomeNames } from '../outcome-parameter.ts'

/** The page of an unknown link. The developer box explains what is wrong with the address. */
export const UnknownLinkPage = ({ linkId }: { linkId: string | undefined }) => (
  <PageLayout title="This payment link does not exist" developer={<p>{whyUnknown(linkId)}</p>}>
    <Mark sign="failed" />
    <h1>This payment link does not exist</h1>
    <p class="muted">Check the address, or ask the shop for a new link.</p>
  </PageLayout>
)

function whyUnknown(linkId: string | undefined): string {
  if (linkId === undefined || linkId === '') return 'The address has no link_id.'
  const payId = decodeLinkId(linkId)
  if (payId === undefined)
    return 'The link_id should be the base64 of a pay_id, as in the pay_link that the API returns.'
  return `The link_id stands for payment ${payId}, which is not in this sandbox. A reset removes all links.`
}

const MAX_FIELDS = 8

interface BadForm {
  readonly link: Link
  readonly fields: URLSearchParams
  readonly problem: string
}

/** The page of an invalid form: what was sent, and what is wrong. */
export const BadFormPage = ({ link, fields, problem }: BadForm) => (
  <ErrorPage title="This form is not valid" link={link}>
    <p>{problem} Nothing was changed.</p>
    <dl>
      <dt>What was sent</dt>
      {fields.size === 0 && (
        <dd>
          <em>no fields</em>
        </dd>
      )}
      {[...fields].slice(0, MAX_FIELDS).map(([name, value]) => (
        <dd>
          {truncate(name, 100)}={truncate(value, 100)}
        </dd>
      ))}
      {fields.size > MAX_FIELDS && (
        <dd>
          <em>and {fields.size - MAX_FIELDS} more</em>
        </dd>
      )}
    </dl>
  </ErrorPage>
)

/** The page of an unknown `outcome` in the address. */
export function UnknownOutcomePage({ link, outcome }: { link: Link; outcome: string }) {
  const match = closestOutcome(outcome)
  return (
    <ErrorPage title="This outcome does not exist" link={link}>
      <p>
        The address asks for <code translate="no">outcome={truncate(outcome, 100)}</code>
        {match !== undefined && (
          <>
            . Did you mean <code translate="no">{match}</code>?
          </>
        )}
      </p>
      <dl class="choices">
        {outcomeNames.map((name) => (
          <>
            <dt>
              <code translate="no">{name}</code>
            </dt>
            <dd class="text">{outcomes[name].text}</dd>
          </>
        ))}
      </dl>
    </ErrorPage>
  )
}

/** The page for an `outcome` that was not opened on purpose, and for a form that another site has sent. */
export const NavigationRejectedPage = ({ link, problem }: { link: Link; problem: string }) => (
  <ErrorPage title="Nothing was carried out" link={link}>
    <p>
      An address with an outcome is executed only on deliberate navigation, and a form only if a page of the
      sandbox sends it. HTTP clients that are not browsers can do both. {problem}
    </p>
  </ErrorPage>
)

const ErrorPage = ({ title, link, children }: { title: string; link: Link; children?: Child }) => (
  <PageLayout title={title} payId={link.payId}>
    <Mark sign="failed" />
    <h1>{title}</h1>
    {children}
    <a class="button" href={checkoutPath(link)}>
      Open the payment
    </a>
  </PageLayout>
)
