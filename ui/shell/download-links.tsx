import { harUrl, reportUrl } from '../urls.ts'

/** Downloads of a run: the report, and its HTTP exchanges for other tools. */
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
