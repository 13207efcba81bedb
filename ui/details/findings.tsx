import { GuideLink } from '../components/guide-link.live.tsx'
import type { EventView } from '../../server/contract/views.ts'
import { describeEvent } from '../../server/contract/format/describe-event.ts'
import { formatRoute } from '../browser/hash-route.ts'
import { log } from '../data/session.ts'
import { StatusMark } from '../components/status.tsx'
import { TextWithFlags } from '../components/text-with-flags.tsx'
import { Fact } from './fact.tsx'
import { failureOf } from './failure.ts'
import { selectedEvent } from './selected-event.ts'

/** The facts of a finding. For any other event, the findings about it. */
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

/** The findings that the failure card does not show. Errors are unfolded. */
function Findings({ of }: { readonly of: number }) {
  const event = selectedEvent.value
  const shown = event?.seq === of ? failureOf(event)?.finding : undefined
  const otherFindings = log.journal.value.eventIndex.findingsOf(of).filter((finding) => finding !== shown)
  if (otherFindings.length === 0) return null
  return (
    <section class="findings" aria-label="Findings">
      <h3>Findings</h3>
      {otherFindings.map((finding) => (
        <details key={finding.seq} open={finding.severity === 'error'}>
          <summary>
            <StatusMark {...describeEvent(finding)} />
            <span>{finding.title}</span>
          </summary>
          <p>
            <TextWithFlags text={finding.fix} />
          </p>
          <p class="muted">Seen: {finding.seen}</p>
        </details>
      ))}
    </section>
  )
}
