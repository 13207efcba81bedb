/** @jsxImportSource hono/jsx */
import type { Link } from '../../../domain/links/link.ts'
import { Notice } from './checkout-page.tsx'
import { Mark } from './mark.tsx'
import { PageLayout } from './page.tsx'

type EndedLink = Link & { readonly status: keyof typeof texts }

interface Props {
  readonly link: EndedLink
  /**
   * Set if the customer acts on a link that is already paid, cancelled or deleted. `shop` is where the browser was sent after the
   * first outcome.
   */
  readonly tooLate: { readonly shop: string | null } | undefined
}

const NEW_LINK = 'Ask the shop for a new link if you still want to pay.'

const texts = {
  paid: {
    heading: 'This link has already been used',
    tooLate: 'It was paid before. Nothing was paid a second time.',
    advice: 'There is nothing more to pay.',
  },
  cancelled: {
    heading: 'This payment was cancelled',
    tooLate: 'It was cancelled before. Nothing was paid.',
    advice: NEW_LINK,
  },
  deleted: {
    heading: 'This link is no longer available',
    tooLate: 'The shop has deleted it. Nothing was paid.',
    advice: NEW_LINK,
  },
} as const

/** The page of a link that is paid, cancelled or deleted. */
export function EndedPage({ link, tooLate }: Props) {
  const { heading, tooLate: notice, advice } = texts[link.status]

  return (
    <PageLayout title={heading} payId={link.payId}>
      {tooLate !== undefined && <Notice>{notice}</Notice>}
      <Mark sign="over" />
      <h1>{heading}</h1>
      <p class="muted">{advice}</p>
      <p class="reference">Reference {link.payId}</p>
      {tooLate !== undefined && tooLate.shop !== null && (
        <a class="button" href={tooLate.shop}>
          Continue
        </a>
      )}
    </PageLayout>
  )
}
