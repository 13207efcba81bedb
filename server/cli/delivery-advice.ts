import type { Sandbox } from '../client/connect-sandbox.ts'
import { answerOfAttempt } from '../contract/format/answer-of-attempt.ts'
import type { DeliveryView } from '../contract/views.ts'

/** Why webhooks failed or were stored in a tunnel, and what to do. One line for each cause. */
export async function deliveryAdvice(
  sandbox: Sandbox,
  deliveries: readonly DeliveryView[],
): Promise<string[]> {
  return [
    ...(await refusals(sandbox, deliveries)),
    ...(await failureAdvice(sandbox, deliveries)),
    ...(await storedAdvice(sandbox, deliveries)),
  ]
}

/** What the app responded when it refused webhooks, if the response has a body. */
async function refusals(sandbox: Sandbox, deliveries: readonly DeliveryView[]): Promise<string[]> {
  const refused = deliveries.flatMap(({ state, attempts }) => {
    const last = attempts.at(-1)
    return state !== 'delivered' && last?.status != null && last.takenBy === undefined ? [last.seq] : []
  })
  const events = await Promise.all(refused.map((seq) => sandbox.event(seq)))
  const answers = events.flatMap((event) =>
    event.type !== 'delivery.attempted' ||
    (event.responseText ?? event.errorPlace ?? event.redirectedTo) === undefined
      ? []
      : [`${answerOfAttempt(event)}.`],
  )
  return [...new Set(answers)]
}

/** One line for each kind of finding about the last attempts. */
async function failureAdvice(sandbox: Sandbox, deliveries: readonly DeliveryView[]): Promise<string[]> {
  const failed = new Set(
    deliveries.flatMap(({ state, attempts }) => (state === 'failed' ? (attempts.at(-1)?.seq ?? []) : [])),
  )
  if (failed.size === 0) return []
  // In the journal, a finding comes after the attempt that it is about.
  const diagnostics = await sandbox.diagnostics({ after: Math.min(...failed) })
  const about = diagnostics.filter(({ eventSeq }) => failed.has(eventSeq))
  return [...new Set(about.map(({ title, fix }) => `${title}. ${fix}`))]
}

/** For each tunnel, the command that forwards its stored webhooks. All deliveries belong to one link. */
async function storedAdvice(sandbox: Sandbox, deliveries: readonly DeliveryView[]): Promise<string[]> {
  const stored = deliveries.filter(({ storedIn }) => storedIn !== undefined)
  const [first] = stored
  if (first === undefined) return []
  const ids = new Set(stored.map(({ id }) => id))
  const captures = (await sandbox.events({ type: 'tunnel.captured', link: first.linkId })).flatMap((event) =>
    event.type === 'tunnel.captured' && event.capturedDeliveryId !== null && ids.has(event.capturedDeliveryId)
      ? [event]
      : [],
  )
  return [...new Set(captures.map(({ tunnel }) => tunnel))].map((tunnel) => {
    const since = captures.find((capture) => capture.tunnel === tunnel)!.seq
    return `Your app has not seen what tunnel ${tunnel} stored. Forward it with \`npx paylink-sandbox listen ${tunnel} --since ${since} --forward-to http://localhost:3000/webhooks\``
  })
}
