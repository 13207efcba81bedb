import { Icon } from '../components/icon.tsx'
import { docsUrl, harUrl, reportUrl } from '../data/urls.ts'

/** The documentation, and the downloads of a run. */
export const DocumentLinks = () => (
  <>
    <a href={`${docsUrl}/guides`}>
      <Icon name="documents" />
      Guides
    </a>
    <a href={docsUrl}>
      <Icon name="documents" />
      API documents
    </a>
    <a href={reportUrl} download>
      <Icon name="download" />
      Download report
    </a>
    <a href={harUrl} download>
      <Icon name="download" />
      Download HAR
    </a>
  </>
)

/** The same links at the end of the side bar. */
export const LastLinks = () => (
  <div class="last">
    <DocumentLinks />
  </div>
)
