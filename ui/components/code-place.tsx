import { editorUrl } from '../browser/editor.ts'

/** A line of the app, which opens in the editor. A report was made on another machine, so it shows only the text. */
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

/** A sentence in which a place is a link. */
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
