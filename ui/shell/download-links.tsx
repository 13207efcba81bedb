import { harUrl, reportUrl } from '../urls.ts'

/** What can be kept of a run: the report, and its exchanges for other tools. */
export function DownloadLinks({ class: name }: { readonly class?: string }) {
  return (
    <>
      <a class={name} href={reportUrl} download>
        Download report
      </a>
      <a class={name} href={harUrl} download>
        Download HAR
      </a>
    </>
  )
}
