/** @jsxImportSource hono/jsx */
import {
  API_KEY_PLACEHOLDER,
  type Document,
  type Example,
  type MediaType,
  type OperationObject,
  type ResponseObject,
} from '../platform/openapi/document.ts'
import { commandsFor, requestsFor } from './commands.ts'
import { FieldTable, FieldRows, TypeText, Variant } from './fields.tsx'
import { resolveRef } from './sample.ts'
import { InlineText, CodeBlock, Paragraphs } from './text.tsx'

interface Props {
  readonly document: Document
  readonly method: string
  /** `null` if the sandbox sends the request instead of receiving it. */
  readonly path: string | null
  readonly operation: OperationObject
}

/** One operation: parameters, body, a curl command, responses and errors. */
export function OperationSection({ document, method, path, operation }: Props) {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation
  const contents = Object.entries(requestBody?.content ?? {})
  const isStream = responses[101] !== undefined

  return (
    <section id={operationId} aria-labelledby={`${operationId}-title`}>
      <h3 id={`${operationId}-title`}>
        <a href={`#${operationId}`}>{summary}</a>
      </h3>
      {path !== null && (
        <p class="address">
          <b>{methodName(method, operation)}</b> <code translate="no">{path}</code>
        </p>
      )}
      <Paragraphs text={description} />
      <FieldRows
        label={path === null ? 'Parameters of the query' : 'Parameters'}
        isSent
        fields={parameters.map(({ name, schema, required = false, description: meaning }) => ({
          name,
          schema: { ...schema, ...(meaning === undefined ? {} : { description: meaning }) },
          isRequired: required,
        }))}
      />
      {contents.map(([type, media]) => (
        <Body
          label={contents.length === 1 ? 'Body' : `Body as ${type}`}
          document={document}
          media={media}
          isForm={type === 'application/x-www-form-urlencoded'}
        />
      ))}
      {path !== null && !isStream && (
        <>
          <h4>Try it</h4>
          {needsFreshSandbox(operation) && <p>On a new sandbox, where the first payment is 1001:</p>}
          <CodeBlock
            label={`Commands for ${summary}`}
            text={commandsFor(document, { method: method.toUpperCase(), path }, operation).join('\n\n')}
          />
          <TryIt document={document} method={method} path={path} operation={operation} />
        </>
      )}
      {Object.entries(responses).map(([status, response]) => (
        <Answer status={status} response={response} document={document} />
      ))}
      <OpenPoints names={operation['x-sandbox-behaviors']} />
    </section>
  )
}

/**
 * A button that sends the requests of the example. Hidden until `try-it.js` shows it. Exists only on a page with an API key.
 */
function TryIt({ document, method, path, operation }: Props & { readonly path: string }) {
  const key = document.components.securitySchemes?.token?.['x-sandbox-example']
  if (key === undefined || key === API_KEY_PLACEHOLDER) return null
  const requests = requestsFor(document, { method: method.toUpperCase(), path }, operation)
  return (
    <form
      class="try"
      hidden
      data-requests={JSON.stringify(
        requests.map((request) => ({
          path: new URL(request.url).pathname,
          method: request.method,
          headers: Object.fromEntries(request.headers),
          body: request.body.content,
        })),
      )}
    >
      <button type="submit" aria-label={`Try it: ${operation.summary}`}>
        Try it
      </button>{' '}
      <span class="muted">
        {needsFreshSandbox(operation)
          ? 'Sends these requests to this sandbox, with the key of the seed, and the number of the new payment instead of 1001.'
          : 'Sends this request to this sandbox, with the key of the seed.'}
      </span>
      <output />
    </form>
  )
}

/** `GET`, `POST`, or `WS` for an operation that opens a WebSocket. */
export const methodName = (method: string, { responses }: OperationObject): string =>
  responses[101] === undefined ? method.toUpperCase() : 'WS'

/** Whether the example needs earlier requests, such as one that creates a link. */
const needsFreshSandbox = ({ requestBody }: OperationObject): boolean =>
  Object.values(requestBody?.content['application/json']?.examples ?? {})[0]?.['x-sandbox-given'] !==
  undefined

interface BodyProps {
  readonly label: string
  readonly document: Document
  readonly media: MediaType
  readonly isForm: boolean
}

function Body({ label, document, media, isForm }: BodyProps) {
  const [example] = Object.values(media.examples ?? {})
  return (
    <>
      <FieldTable label={label} isSent schema={resolveRef(document, media.schema)} />
      {example !== undefined && (
        <details>
          <summary>{`${label}, for example`}</summary>
          <CodeBlock
            label={`${label}, for example`}
            text={isForm ? formText(example.value) : JSON.stringify(example.value, null, 2)}
          />
        </details>
      )}
    </>
  )
}

const formText = (fields: unknown): string =>
  new URLSearchParams(Object.entries(Object(fields)).map(([name, value]) => [name, String(value)])).toString()

/** One response: the body of a success, or the messages of an error. */
function Answer({
  status,
  response,
  document,
}: {
  status: string
  response: ResponseObject
  document: Document
}) {
  const [media] = Object.values(response.content ?? {})
  const examples = Object.values(media?.examples ?? {})
  const isSuccess = status < '400'
  const variants = (media?.schema.oneOf ?? []).filter(({ properties }) => properties !== undefined)
  const success = isSuccess ? examples[0] : undefined
  return (
    <div class="answer" data-tone={isSuccess ? 'ok' : 'no'}>
      <h4>
        <b>{status}</b> <InlineText text={response.description} />
      </h4>
      {isSuccess && variants.map((schema) => <Variant schema={schema} />)}
      {media !== undefined && isSuccess && !media.schema.properties && variants.length === 0 && (
        <p>
          <TypeText schema={media.schema} />
        </p>
      )}
      {success !== undefined && (
        <details open>
          <summary>For example: {success.summary}</summary>
          <CodeBlock label={`Answer: ${success.summary}`} text={JSON.stringify(success.value, null, 2)} />
        </details>
      )}
      {media !== undefined && isSuccess && media.schema.properties && (
        <FieldTable label="Answer" isSent={false} schema={resolveRef(document, media.schema)} />
      )}
      {!isSuccess && <Errors examples={examples} />}
    </div>
  )
}

/** The messages of the API reference, followed by those of the sandbox. */
function Errors({ examples }: { examples: readonly Example[] }) {
  const own = examples.filter(({ description }) => description !== undefined)
  const documented = examples.filter((example) => !own.includes(example))
  return (
    <>
      <Messages examples={documented} />
      {own.length > 0 && <p class="muted">The API reference does not define these messages:</p>}
      <Messages examples={own} />
    </>
  )
}

function Messages({ examples }: { examples: readonly Example[] }) {
  if (examples.length === 0) return null
  return (
    <ul>
      {examples.map(({ summary }) => (
        <li>{summary}</li>
      ))}
    </ul>
  )
}

function OpenPoints({ names }: { names: readonly string[] | undefined }) {
  if (names === undefined) return null
  return (
    <p class="points">
      Depends on open points:{' '}
      {names.map((name, index) => (
        <>
          {index > 0 && ', '}
          <a href={`#point-${name}`}>{name}</a>
        </>
      ))}
    </p>
  )
}
