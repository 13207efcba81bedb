import { counterpartOf } from '../compare/candidates.ts'
import type { WebhookState } from '../../server/contract/format/webhook-marks.ts'
import { navigate } from '../browser/route.ts'
import type { AttemptEventView } from '../data/event-index.ts'
import { log } from '../data/session.ts'
import type { Payment } from '../data/payment.ts'
import { editAndReplay } from '../details/actions.ts'
import type { PaletteCommand } from './palette-command.ts'

/** A search offers the questions about this many payments, newest first. If they fit none of these, it looks in all payments. */
const MAX_PAYMENTS = 200

/** Words of a whole sentence, so that a search finds a question as people ask it. */
const SMALL_WORDS =
  'a an the my our your it its i did do does is was with on of for to what why which how other'

/** A question about a payment. */
interface PaymentQuestion {
  /** `undefined` if it does not fit a payment. */
  readonly ask: (payment: Payment) => PaletteCommand | undefined
  /** What a search finds if it fits no payment, and the search of the timeline that shows so. */
  readonly unfit: Pick<PaletteCommand, 'icon' | 'title' | 'about' | 'words'> & { readonly query: string }
}

/**
 * Questions that people ask first, each with the place of the answer. Without a search, each question about a payment is about
 * the newest payment that it fits.
 */
export function questions(isSearch: boolean, payments: readonly Payment[]): PaletteCommand[] {
  const ofPayments = paymentQuestions.flatMap(({ ask, unfit }) => {
    const commands: PaletteCommand[] = []
    for (const [index, payment] of payments.entries()) {
      if (commands.length > 0 && (!isSearch || index >= MAX_PAYMENTS)) break
      const question = ask(payment)
      if (question) commands.push(question)
    }
    return commands.length > 0 || !isSearch ? commands : [toCommand(unfit)]
  })
  const ofReceivers: PaletteCommand = {
    group: 'Questions',
    icon: 'overview',
    title: 'Which receiver is slow?',
    words: 'slowest latency duration took p95',
    run: () => navigate({ screen: 'overview', id: undefined, query: '', point: 'receivers' }),
  }
  const ofOpenPoints: PaletteCommand = {
    group: 'Questions',
    icon: 'overview',
    title: 'What does your integration rely on?',
    words: 'relies tests app open points assumptions assumed undocumented',
    run: () => navigate({ screen: 'overview', id: undefined, query: '', point: 'relies-on' }),
  }
  return [...ofPayments, ofReceivers, ofOpenPoints].map((question) => ({
    ...question,
    words: `${question.words} ${SMALL_WORDS}`,
  }))
}

/** A question without an answer only leads to a screen, so it comes after the other screens. */
const toCommand = ({ query, ...unfit }: PaymentQuestion['unfit']): PaletteCommand => ({
  group: 'Go to',
  ...unfit,
  run: () => navigate({ screen: 'timeline', id: undefined, query, range: undefined, other: undefined }),
})

const WORDS = {
  whyFailed: 'failed failure error broken cause missed',
  sameBytes: 'compare attempt attempts replay identical duplicate',
  otherAmount: 'send the webhook again another answer edit and replay resend change',
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
    words: WORDS.whyFailed,
    // Its details begin with the cause and the remedy.
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
    words: WORDS.sameBytes,
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
    title: `How does your app handle a different amount for ${nameOf(payment)}?`,
    words: WORDS.otherAmount,
    run: () => editAndReplay(attempt.deliveryId),
  }
}

const nameOf = ({ link: { note, payId } }: Payment): string => note.trim() || `payment ${payId}`

const attemptsOf = ({ link: { payId } }: Payment): readonly AttemptEventView[] =>
  log.journal
    .peek()
    .eventIndex.eventsOfPayment(payId)
    .filter((event) => event.type === 'delivery.attempted')

const paymentQuestions: readonly PaymentQuestion[] = [
  {
    ask: whyFailed,
    unfit: {
      icon: 'payments',
      title: 'Why did a webhook fail?',
      about: 'Your app has missed no payment.',
      words: WORDS.whyFailed,
      query: 'kind:webhook is:failed',
    },
  },
  {
    ask: sameBytes,
    unfit: {
      icon: 'retry',
      title: 'Did a retry send the same bytes?',
      about: 'No webhook was sent twice.',
      words: WORDS.sameBytes,
      query: 'is:retried,replay',
    },
  },
  {
    ask: otherAmount,
    unfit: {
      icon: 'webhook',
      title: 'How does your app handle a different amount?',
      about: 'No webhook was sent.',
      words: WORDS.otherAmount,
      query: 'kind:webhook',
    },
  },
]
