import { docsUrl } from '../data/urls.ts'

interface Props {
  /** The end of the guide's address, like `webhooks#held-webhooks`. */
  readonly page: string
  /** What the guide is about, for screen readers. */
  readonly about: string
}

/** A link to a guide that the sandbox serves. */
export const GuideLink = ({ page, about }: Props) => (
  <>
    {' '}
    <a href={`${docsUrl}/guides/${page}`} aria-label={`Guide: ${about}`}>
      Guide
    </a>
  </>
)
