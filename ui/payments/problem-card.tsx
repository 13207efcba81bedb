import { formatRoute } from '../browser/hash-route.ts'
import { log } from '../data/session.ts'
import { Icon } from '../components/icon.tsx'
import { ProblemButtons } from './webhook-buttons.live.tsx'
import { webhookProblem } from './webhook-problem.ts'

const icons = { err: 'close', warn: 'pause', plain: 'stored' } as const

/** The first part of the details of a payment whose webhooks failed, are held or are stored. */
export function ProblemCard({ payId }: { readonly payId: number }) {
  const { eventIndex } = log.journal.value
  const problem = webhookProblem(eventIndex.webhooksOfPayment(payId), eventIndex.eventsOfPayment(payId))
  if (!problem) return null
  const { tone, title, sentences, marks } = problem

  return (
    <section class="failure" data-tone={tone} aria-label="Cause and remedy">
      <div class="problem">
        <div>
          <h3>
            <Icon name={icons[tone]} />
            {title}
          </h3>
          {sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
        {tone !== 'err' ? (
          <a class="button" href={formatRoute({ screen: 'timeline', id: marks[0]!.seq })}>
            Open the webhook
          </a>
        ) : (
          <ProblemButtons marks={marks} />
        )}
      </div>
    </section>
  )
}
