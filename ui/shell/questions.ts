import { counterpartOf } from '../compare/candidates.ts'
import type { WebhookState } from '../../server/contract/format/webhook-marks.ts'
import { navigate } from '../browser/route.ts'
import type { AttemptEventView } from '../data/event-index.ts'
import { log } from '../data/session.ts'
import type { Payment } from '../data/payment.ts'
import { editAndReplay } from '../details/actions.ts'
import type { PaletteCommand } from './palette-command.ts'

/** With more payments, there would be too many questions. */
const MAX_PAYMENTS = 200

/**
 * Questions that people ask first, each with the place of the answer. Without a search, each question about a payment is about
 * the newest payment that it fits.
 */
export function questions(isSearch: boolean, payments: readonly Payment[]): PaletteCommand[] {
  const ofPayments = [whyFailed, sameBytes, otherAmount].flatMap((ask) => {
    const asked: PaletteCommand[] = []
    for (const payment of isSearch ? payments.slice(0, MAX_PAYMENTS) : payments) {
      const question = ask(payment)
      if (question) asked.push(question)
      if (question && !isSearch) break
    }
    return asked
  })
  return [
    ...ofPayments,
    {
      group: 'Questions',
      icon: 'overview',
      title: 'Which receiver is slow?',
      words: 'slowest latency duration took p95',
      run: () => navigate({ screen: 'overview', id: undefined, query: '', point: 'receivers' }),
    },
    {
      group: 'Questions',
      icon: 'overview',
      title: 'What does your integration rely on?',
      words: 'relies tests open points assumptions assumed undocumented',
      run: () => navigate({ screen: 'overview', id: undefined, query: '', point: 'relies-on' }),
    },
  ]
}

const MISSED: ReadonlySet<WebhookState> = new Set(['failed', 'held', 'retrying'])

function whyFailed(payment: Payment): PaletteCommand | undefined {
  const { eventIndex } = log.journal.peek()
  const { payId } = payment.link
  if (!eventIndex.groupOfPayments('missed').has(payId)) return undefined
  const webhook = eventIndex.webhooksOfPayment(payId).find(({ state }) => MISSED.has(state))
  return {
    group: 'Questions',
    icon: 'payments',
    title: `Why did the webhook of ${nameOf(payment)} fail?`,
    words: 'failed failure error broken cause missed',
    // The details begin with the cause and what to do.
    run: () =>
      navigate({ screen: 'timeline', id: webhook?.seq, query: '', range: undefined, other: undefined }),
  }
}

function sameBytes(payment: Payment): PaletteCommand | undefined {
  const retry = attemptsOf(payment).findLast(({ attempt, replayOf }) => attempt > 1 || replayOf !== null)
  if (!retry) return undefined
  return {
    group: 'Questions',
    icon: 'retry',
    title: `Did the retry of ${nameOf(payment)} send the same bytes?`,
    words: 'compare attempt attempts replay identical duplicate',
    run: () => {
      const other = counterpartOf(retry)?.event.seq
      navigate({ screen: 'timeline', id: retry.seq, query: '', range: undefined, other })
    },
  }
}

function otherAmount(payment: Payment): PaletteCommand | undefined {
  const attempt = attemptsOf(payment).at(-1)
  if (!attempt) return undefined
  return {
    group: 'Questions',
    icon: 'webhook',
    title: `How does your app answer another amount for ${nameOf(payment)}?`,
    words: 'send the webhook again edit and replay resend change',
    run: () => editAndReplay(attempt.deliveryId),
  }
}

const nameOf = ({ link: { note, payId } }: Payment): string => note.trim() || `payment ${payId}`

const attemptsOf = ({ link: { payId } }: Payment): readonly AttemptEventView[] =>
  log.journal
    .peek()
    .eventIndex.eventsOfPayment(payId)
    .filter((event) => event.type === 'delivery.attempted')
