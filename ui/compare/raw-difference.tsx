import type { Body, Exchange, Headers } from '../../server/domain/http/exchange.ts'
import { isForm } from '../components/body-text.ts'
import { bodyLines, diffLines } from './diff-lines.ts'
import { DiffView } from './diff-view.tsx'

type Side = Exchange | null | undefined

interface Message {
  readonly firstLine: string
  readonly headers: Headers
  readonly body: Body
}

/** The lines of both requests and of both answers, as they were transmitted. */
export function RawDifference({ left, right }: { readonly left: Side; readonly right: Side }) {
  return (
    <>
      <Lines title="Request" left={requestOf(left)} right={requestOf(right)} />
      <Lines title="Response" left={answerOf(left)} right={answerOf(right)} />
    </>
  )
}

interface LinesProps {
  readonly title: string
  readonly left: Message | undefined
  readonly right: Message | undefined
}

function Lines({ title, left, right }: LinesProps) {
  if (!left && !right) return null
  const lines = diffLines(linesOf(left), linesOf(right))
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {lines.every(({ kind }) => kind === 'equal') && <p class="muted">Both are equal.</p>}
      <DiffView lines={lines} />
      {[left, right].some((message) => message && isForm(message.headers)) && (
        <p class="muted">A form is one line. It is shown with one field in each line.</p>
      )}
    </section>
  )
}

function requestOf(side: Side): Message | undefined {
  if (!side) return undefined
  const { method, url, headers, body } = side.request
  return { firstLine: `${method} ${url}`, headers, body }
}

function answerOf(side: Side): Message | undefined {
  if (!side?.response) return undefined
  const { status, headers, body } = side.response
  return { firstLine: `HTTP ${status}`, headers, body }
}

function linesOf(message: Message | undefined): string[] {
  if (!message) return []
  const { firstLine, headers, body } = message
  return [
    firstLine,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body.isOmitted ? ['', 'The HAR file does not contain the body.'] : []),
    ...(body.content === '' ? [] : ['', ...bodyLines(body.content, isForm(headers))]),
  ]
}
