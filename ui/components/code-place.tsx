import { editorUrl } from '../browser/editor.ts'

/**
 * A line of the app's code, as a link to the editor. In a report, only the text, because the report may come from another
 * machine.
 */
function CodePlace({ place }: { readonly place: string }) {
  const url = CAN_ACT ? editorUrl(place) : undefined
  return url === undefined ? (
    <code>{place}</code>
  ) : (
    <a href={url} title="Open in your editor">
      <code>{place}</code>
    </a>
  )
}

/** A sentence. If it contains a place in the code, the place is a link. */
export function TextWithPlace({
  text,
  place,
}: {
  readonly text: string
  readonly place: string | undefined
}) {
  const at = place === undefined ? -1 : text.indexOf(place)
  if (place === undefined || at === -1) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <CodePlace place={place} />
      {text.slice(at + place.length)}
    </>
  )
}
