import { bodyContains } from '../../../server/domain/http/body-text.ts'
import { report } from './report.ts'

/** A test whether a body of a reported event contains a text. A report has no server that could search. */
export function reportedBodyMatcher(): (seq: number, text: string) => boolean {
  const loaded = report.value
  if (loaded.state !== 'loaded') return () => false
  const { events } = loaded.value
  return (seq, text) => {
    const exchange = events.get(seq)?.exchange
    const bodies = exchange ? [exchange.request.body, exchange.response?.body] : []
    return bodies.some((body) => body?.encoding === 'utf8' && bodyContains(body.content, text))
  }
}
