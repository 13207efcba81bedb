import { useMemo } from 'preact/hooks'
import { countKeptBytes, findHeader, type Body, type Headers } from '../../server/domain/http/exchange.ts'
import { formatSize, plural } from '../../server/contract/format/values.ts'
import { copy } from '../browser/clipboard.ts'
import { isForm, MAX_SHOWN, prettyBody } from '../components/body-text.ts'
import { foldsOf, lineCount, isFold, type Part } from './json-folds.ts'
import { JsonTokens } from '../components/json-tokens.tsx'
import { saveFile } from '../browser/save-file.ts'

interface Props {
  readonly headers: Headers
  readonly body: Body
  readonly isPretty: boolean
  /** Whether the webhook is held, so that these bytes were not sent. */
  readonly isUnsent?: boolean
}

/** JSON with more lines than this can be folded. */
const MAX_FLAT_LINES = 200

export function BodyView({ headers, body, isPretty, isUnsent = false }: Props) {
  const pretty = useMemo(() => (isPretty ? prettyBody(headers, body) : undefined), [headers, body, isPretty])
  if (body.isOmitted) return <p class="muted">The HAR file does not contain the body.</p>
  if (body.size === 0) return <p class="muted">No body.</p>
  const kept = countKeptBytes(body)
  const isCut = body.content.length > MAX_SHOWN

  return (
    <>
      <div class="body-head">
        <h3>
          {pretty && isForm(headers) ? 'Form' : 'Body'} <span class="muted">{formatSize(body.size)}</span>
        </h3>
        <button type="button" class="small" onClick={() => void copy(body.content, 'Body')}>
          Copy body
        </button>
        <button type="button" class="small" onClick={() => downloadBody(headers, body)}>
          Download
        </button>
      </div>
      {isCut && (
        <p class="muted">
          Too large to format: these are the first {formatSize(MAX_SHOWN)} of {formatSize(body.size)}, as
          sent. The download has all that is stored.
        </p>
      )}
      {kept < body.size && (
        <p class="muted">
          Only the first {formatSize(kept)} of {formatSize(body.size)} are stored.
        </p>
      )}
      {body.encoding === 'base64' && <p class="muted">The body is not text. It is shown as base64.</p>}
      {pretty &&
        (lineCount(pretty) > MAX_FLAT_LINES ? (
          <div class="body tree">
            <JsonTree parts={foldsOf(pretty)} />
          </div>
        ) : (
          <pre class="body">
            <JsonTokens tokens={pretty} />
          </pre>
        ))}
      {pretty && isForm(headers) && <h3>{isUnsent ? 'As it would be sent' : 'As sent'}</h3>}
      {(!pretty || isForm(headers)) && <pre class="body bytes">{body.content.slice(0, MAX_SHOWN)}</pre>}
    </>
  )
}

/** Saves the bytes of a body as a file. */
function downloadBody(headers: Headers, { encoding, content }: Body): void {
  const bytes = encoding === 'base64' ? Uint8Array.from(atob(content), (byte) => byte.charCodeAt(0)) : content
  const type = findHeader(headers, 'content-type') ?? 'application/octet-stream'
  saveFile(`body.${/json/.test(type) ? 'json' : encoding === 'base64' ? 'bin' : 'txt'}`, bytes, type)
}

/** Arrays and objects with more lines than this are collapsed at first. */
const MAX_OPEN_LINES = 60

/** JSON whose arrays and objects can be collapsed. */
const JsonTree = ({ parts }: { readonly parts: readonly Part[] }) => (
  <>
    {parts.map((part, index) =>
      isFold(part) ? (
        <details key={index} open={part.lines <= MAX_OPEN_LINES || index === 0}>
          <summary>
            <JsonTokens tokens={part.head} /> <span class="muted">{plural(part.lines - 1, 'line')}</span>
          </summary>
          <JsonTree parts={part.parts} />
        </details>
      ) : (
        <JsonTokens key={index} tokens={[part]} />
      ),
    )}
  </>
)
