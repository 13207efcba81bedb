/** @jsxImportSource hono/jsx */
import {
  METHODS,
  type Document,
  type OperationObject,
  type PathItem,
  type SecurityScheme,
} from '../platform/openapi/document.ts'
import { FieldTable, TypeText } from './fields.tsx'
import { methodName, OperationSection } from './operation.tsx'
import { DocsPage } from './page.tsx'
import { InlineText, Paragraphs } from './text.tsx'

interface ListedOperation {
  readonly method: string
  readonly path: string | null
  readonly operation: OperationObject
}

interface Props {
  readonly document: Document
  readonly here: '/docs' | '/docs/control'
  /** The path of the OpenAPI document. */
  readonly source: string
}

/** An OpenAPI document on one page. */
export const documentPage = (props: Props): string => `<!doctype html>${String(<DocumentPage {...props} />)}`

function DocumentPage({ document, here, source }: Props) {
  const { info, servers, components } = document
  const listed = [
    ...operationsIn(document.paths, true),
    ...operationsIn(document['x-sandbox-websockets'] ?? {}, true),
    ...operationsIn(document.webhooks ?? {}, false),
  ]
  const points = document['x-sandbox-behaviors'] ?? []
  const groups = document.tags.map((tag) => ({
    ...tag,
    title: tag.name[0]!.toUpperCase() + tag.name.slice(1),
    operations: listed.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const schemas = Object.entries(components.schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))

  const contents = (
    <>
      {groups.map(({ title, operations }) => (
        <>
          <h2>{title}</h2>
          <ul>
            {operations.map(({ method, path, operation }) => (
              <li>
                <a href={`#${operation.operationId}`}>
                  {operation.summary}
                  {path !== null && (
                    <small>
                      <b>{methodName(method, operation)}</b> {path.replace(/^\/(_sandbox\/v1|api\/v2)/, '')}
                    </small>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
      <h2>Reference</h2>
      <ul>
        <li>
          <a href="#authentication">Authentication</a>
        </li>
        {points.length > 0 && (
          <li>
            <a href="#open-points">Open points</a>
          </li>
        )}
        <li>
          <a href="#schemas">Schemas</a>
        </li>
      </ul>
    </>
  )

  return (
    <DocsPage
      title={info.title}
      here={here}
      source={{ href: source, text: 'OpenAPI' }}
      contents={contents}
      {...(here === '/docs' ? { script: '/docs/try-it.js' } : {})}
    >
      <h1>{info.title}</h1>
      <p class="address">
        <code translate="no">{servers[0]!.url}</code>
      </p>
      <Paragraphs text={info.description} />
      <section id="authentication" aria-labelledby="authentication-title">
        <h2 id="authentication-title">Authentication</h2>
        <dl>
          {Object.entries(components.securitySchemes ?? {}).map(([name, scheme]) => (
            <div>
              <dt>
                <code translate="no">{name}</code> <span class="muted">{placeOf(scheme)}</span>
              </dt>
              <dd>
                <InlineText text={scheme.description} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {groups.map(({ title, description, operations }) => (
        <section class="group">
          <h2>{title}</h2>
          <Paragraphs text={description} />
          {operations.map((one) => (
            <OperationSection document={document} {...one} />
          ))}
        </section>
      ))}
      {points.length > 0 && (
        <section id="open-points" aria-labelledby="open-points-title">
          <h2 id="open-points-title">Open points</h2>
          <p>
            What the API reference does not define, and what the sandbox does. Points with options are
            behaviors: choose one with <a href="/docs/control#patchBehaviors">the control API</a> or in the
            inspector.
          </p>
          {[...new Set(points.map(({ group }) => group))].map((subject) => (
            <>
              <h3>{subject}</h3>
              <dl>
                {points
                  .filter(({ group }) => group === subject)
                  .map(({ name, options, reference, assumption }) => (
                    <div id={`point-${name}`}>
                      <dt>
                        <code translate="no">{name}</code>
                        {options.length > 0 && <span class="muted"> {options.join(' · ')}</span>}
                      </dt>
                      <dd class="muted">{reference}</dd>
                      <dd>{assumption}</dd>
                    </div>
                  ))}
              </dl>
            </>
          ))}
        </section>
      )}
      <section id="schemas" aria-labelledby="schemas-title">
        <h2 id="schemas-title">Schemas</h2>
        {schemas.map(([name, schema]) => (
          <section id={`schema-${name}`} aria-labelledby={`schema-${name}-title`}>
            <h3 id={`schema-${name}-title`}>{name}</h3>
            <p>
              <InlineText text={schema.description ?? ''} />
            </p>
            <FieldTable label={name} isSent={false} schema={schema} />
            {schema.oneOf && (
              <p>
                <TypeText schema={schema} />
              </p>
            )}
          </section>
        ))}
      </section>
    </DocsPage>
  )
}

/** The header or cookie that contains the secret. */
const placeOf = (scheme: SecurityScheme): string =>
  scheme.type === 'http' ? 'header Authorization: Bearer <token>' : `${scheme.in} ${scheme.name}`

const operationsIn = (items: Readonly<Record<string, PathItem>>, isOnThisPage: boolean): ListedOperation[] =>
  Object.entries(items).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ method, path: isOnThisPage ? path : null, operation }]
    }),
  )
