import { computed } from '@preact/signals'
import type { EventView } from '../../server/contract/views.ts'
import { storedText } from '../browser/local-storage.ts'
import { log } from '../data/session.ts'

/** A user with more events than this no longer needs first steps. */
const MAX_ENTRIES = 100

/** The user has hidden the list in this epoch. After a reset, the list is shown again. */
const hiddenIn = storedText('first-steps-hidden', '')

export const hideSteps = (): void => {
  hiddenIn.value = log.journal.peek().epoch ?? ''
}
export const showSteps = (): void => {
  hiddenIn.value = ''
}
export const areStepsHidden = computed(() => hiddenIn.value === log.journal.value.epoch)

/**
 * Whether the event is an answer of an app: to a test request, to a webhook outside of the sandbox's own tunnels, or to a
 * request that a listener has forwarded.
 */
const isAnswerOfApp = (event: EventView): boolean =>
  (event.type === 'tunnel.answered' && event.listener !== null && event.status !== null) ||
  ((event.type === 'check.sent' || event.type === 'delivery.attempted') &&
    event.httpStatus !== null &&
    !/^https?:\/\/[^/]+\/tunnel\//.test(('mappedTo' in event && event.mappedTo) || event.target))

export type FirstStep = 'create' | 'pay' | 'replay' | 'point'

const isDone: Readonly<Record<FirstStep, (event: EventView) => boolean>> = {
  create: ({ type }) => type === 'link.created',
  pay: ({ type }) => type === 'link.paid',
  replay: (event) => 'replayOf' in event && event.replayOf !== null,
  point: isAnswerOfApp,
}

export const steps = Object.keys(isDone) as readonly FirstStep[]

/** The steps that are done, according to the journal. `undefined` if the list is hidden, or no longer needed. */
export const doneSteps = computed((): ReadonlySet<FirstStep> | undefined => {
  const { entries, eventIndex } = log.journal.value
  if (areStepsHidden.value || entries.length > MAX_ENTRIES) return undefined
  const done = steps.filter((step) =>
    // A new link has no row in the timeline, so this step looks at the payments.
    step === 'create' ? eventIndex.payments.size > 0 : entries.some(({ event }) => isDone[step](event)),
  )
  return done.length === steps.length ? undefined : new Set(done)
})
