import { formatRoute } from '../../browser/hash-route.ts'
import { log } from '../../data/session.ts'
import { Time } from '../../components/time.tsx'
import { buildDiagram } from './build-diagram.ts'

/** The items of a diagram as sentences. A report has this list instead of the one with buttons. */
export function SentenceList({ payId }: { readonly payId: number }) {
  const { eventIndex } = log.journal.value
  return (
    <ol class="journey">
      {buildDiagram(eventIndex.eventsOfPayment(payId), eventIndex.clockChanges).map(
        ({ seq, at, sentence }) => (
          <li key={seq}>
            <p>
              <a class="time" href={formatRoute({ screen: 'timeline', id: seq })}>
                <Time at={at} />
              </a>{' '}
              {sentence}
            </p>
          </li>
        ),
      )}
    </ol>
  )
}
