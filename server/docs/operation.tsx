/** @jsxImportSource hono/jsx */
import type { Document, MediaType, Operation, Response } from '../openapi/document.ts'
import { commandsFor } from './commands.ts'
import { FieldTable, Rows, Type } from './fields.tsx'
import { resolve } from './sample.ts'
import { Line, Listing, Text } from './text.tsx'

interface Props {
  readonly document: Document
  readonly method: string
  /** `null` where it is not one that can be called here. */
  readonly path: string | null
  readonly operation: Operation
}

/** One operation: what it takes, a command to try it, what it answers and what it refuses. */
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
          <b>{isStream ? 'WS' : method.toUpperCase()}</b> <code>{path}</code>
        </p>
      )}
      <Text text={description} />
      <Rows
        label={path === null ? 'Parameters of the query' : 'Parameters'}
        fields={parameters.map(({ name, schema, required = false, description: meaning }) => ({
          name,
          schema: { ...schema, ...(meaning === undefined ? {} : { description: meaning }) },
          isRequired: required,
        }))}
      />
      {contents.map(([type, media]) => (
        <Body label={contents.length === 1 ? 'Body' : `Body as ${type}`} document={document} media={media} />
      ))}
      {path !== null && !isStream && (
        <>
          <h4>Try it</h4>
          <Listing
            label={`Commands for ${summary}`}
            text={commandsFor(document, { method: method.toUpperCase(), path }, operation).join('\n\n')}
          />
        </>
      )}
      {Object.entries(responses).map(([status, response]) => (
        <Answer status={status} response={response} document={document} />
      ))}
      <OpenPoints names={operation['x-sandbox-behaviors']} />
    </section>
  )
}

function Body({ label, document, media }: { label: string; document: Document; media: MediaType }) {
  const [example] = Object.values(media.examples ?? {})
  return (
    <>
      <FieldTable label={label} schema={resolve(document, media.schema)} />
      {example !== undefined && (
        <details>
          <summary>{`${label}, for example`}</summary>
          <Listing label={`${label}, for example`} text={JSON.stringify(example.value, null, 2)} />
        </details>
      )}
    </>
  )
}

/** Success with what it has, or reasons to refuse. */
function Answer({ status, response, document }: { status: string; response: Response; document: Document }) {
  const [media] = Object.values(response.content ?? {})
  const examples = Object.values(media?.examples ?? {})
  const isSuccess = status < '400'
  const success = isSuccess ? examples[0] : undefined
  return (
    <div class="answer" data-tone={isSuccess ? 'ok' : 'no'}>
      <h4>
        <b>{status}</b> <Line text={response.description} />
      </h4>
      {media !== undefined && isSuccess && !media.schema.properties && (
        <p>
          <Type schema={media.schema} />
        </p>
      )}
      {success !== undefined && (
        <details open>
          <summary>For example: {success.summary}</summary>
          <Listing label={`Answer: ${success.summary}`} text={JSON.stringify(success.value, null, 2)} />
        </details>
      )}
      {media !== undefined && isSuccess && media.schema.properties && (
        <FieldTable label="Answer" schema={resolve(document, media.schema)} />
      )}
      {examples.some(({ description }) => description !== undefined) && !isSuccess && (
        <p class="muted">Muted are sentences of the sandbox; the others are in the API reference.</p>
      )}
      {!isSuccess && examples.length > 0 && (
        <ul class="refusals">
          {examples.map(({ summary, description }) => (
            <li {...(description === undefined ? {} : { class: 'own' })}>{summary}</li>
          ))}
        </ul>
      )}
    </div>
  )
}

function OpenPoints({ names }: { names: readonly string[] | undefined }) {
  if (names === undefined) return null
  return (
    <p class="points">
      Rests on open points:{' '}
      {names.map((name, index) => (
        <>
          {index > 0 && ', '}
          <a href={`#point-${name}`}>{name}</a>
        </>
      ))}
    </p>
  )
}
