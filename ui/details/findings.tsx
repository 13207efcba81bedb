import { GuideLink } from '../shell/guide-link.tsx'
import type { EventView } from '../../server/contract/views.ts'
import { describeEvent } from '../../server/format/describe-event.ts'
import { formatRoute } from '../hash-route.ts'
import { indexAfter } from '../log.ts'
import { log } from '../session.ts'
import { Fact } from './fact.tsx'

type Finding = Extract<EventView, { type: 'diagnostic.found' }>

/** The facts of a finding, or the findings about any other event. */
export function FindingFacts({ event }: { readonly event: EventView }) {
  if (event.type !== 'diagnostic.found') return <Findings of={event.seq} />
  return (
    <dl class="facts">
      <Fact name="Expected">{event.expected}</Fact>
      <Fact name="Seen">{event.seen}</Fact>
      <Fact name="What to do">
        {event.fix}
        <GuideLink page="diagnostics" about="diagnostics" />
      </Fact>
      <Fact name="About">
        <a href={formatRoute({ screen: 'timeline', id: event.eventSeq })}>Event {event.eventSeq}</a>
      </Fact>
    </dl>
  )
}

function Findings({ of }: { readonly of: number }) {
  const found = findingsOf(of)
  if (found.length === 0) return null
  return (
    <section class="assumptions" aria-label="Findings">
      <h3>Findings</h3>
      {found.map((finding) => (
        <details key={finding.seq}>
          <summary>
            <span class="status" data-tone={describeEvent(finding).tone}>
              {describeEvent(finding).status}
            </span>{' '}
            {finding.title}
          </summary>
          <p>Seen: {finding.seen}</p>
          <p>{finding.fix}</p>
        </details>
      ))}
    </section>
  )
}

/** The findings about an event. They directly follow it in the journal. */
function findingsOf(seq: number): Finding[] {
  const { entries } = log.journal.value
  const found: Finding[] = []
  for (let index = indexAfter(entries, seq); index < entries.length; index++) {
    const { event } = entries[index]!
    if (event.type !== 'diagnostic.found') break
    if (event.eventSeq === seq) found.push(event)
  }
  return found
}
