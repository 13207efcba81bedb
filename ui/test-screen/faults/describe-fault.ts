import type { FaultView } from '../../../server/contract/views.ts'
import { faultPointText } from '../../../server/contract/format/describe-event.ts'
import { formatDuration, plural } from '../../../server/contract/format/values.ts'
import {
  parseEffect,
  type ApiEffect,
  type EffectByPoint,
} from '../../../server/domain/faults/fault-effect.ts'
import type { FaultPoint } from '../../../server/domain/faults/fault.ts'

const instead = ({ skipsCall }: { readonly skipsCall: boolean }, text: string): string =>
  skipsCall ? `${text}, without carrying out the call` : text

function describeApi(effect: ApiEffect): string {
  switch (effect.kind) {
    case 'status':
      return `Answer with an HTTP ${effect.status} page`
    case 'refuse':
      return `Refuse with “${effect.message}”`
    case 'latency':
      return `Answer ${formatDuration(effect.ms)} late`
    case 'rate-limit':
      return `Refuse with HTTP 429 and ask to wait ${formatDuration(effect.ms)}`
    case 'reset':
      return effect.skipsCall ? 'Lose the call' : 'Lose the answer'
    case 'empty':
      return instead(effect, 'Answer without a body')
    case 'truncate':
      return instead(effect, 'Cut off the answer')
    case 'html':
      return instead(effect, 'Answer with a web page')
    case 'code-as-text':
      return effect.message === null
        ? 'Answer with ResponseCode as text'
        : `Refuse with “${effect.message}” and ResponseCode as text`
  }
}

function describeWebhook(effect: EffectByPoint['webhook']): string {
  switch (effect.kind) {
    case 'status':
      return `Fail with HTTP ${effect.status}`
    case 'drop':
      return 'Lose the webhook'
    case 'delay':
      return `Send ${formatDuration(effect.ms)} late`
    case 'duplicate':
      return `Send ${plural(effect.copies, 'more time')}`
    case 'reorder':
      return 'Send after the next webhook'
    case 'slow':
      return `Send the body slowly, over ${formatDuration(effect.ms)}`
    case 'content-type':
      return `Send as ${effect.type}`
  }
}

function describeRedirect(effect: EffectByPoint['redirect']): string {
  switch (effect.kind) {
    case 'lost':
      return 'Close the browser'
    case 'status':
      return `Return with status ${effect.text}`
    case 'pay-id':
      return `Return with pay_id ${effect.text}`
  }
}

const describers: { readonly [On in FaultPoint]: (effect: EffectByPoint[On]) => string } = {
  api: describeApi,
  webhook: describeWebhook,
  redirect: describeRedirect,
}

function describeStep<On extends FaultPoint>(on: On, step: string): string {
  const effect = parseEffect(on, step)
  if (effect === undefined) return step
  return effect.kind === 'pass' ? 'Change nothing' : describers[on](effect as EffectByPoint[On])
}

/** What a fault does, like `Answer with an HTTP 503 page, 3 times, then lose the answer`. */
export function describeFault({ on, script }: Pick<FaultView, 'on' | 'script'>): string {
  const steps: { text: string; times: number }[] = []
  for (const step of script) {
    const text = describeStep(on, step)
    const last = steps.at(-1)
    if (last?.text === text) last.times += 1
    else steps.push({ text, times: 1 })
  }
  return steps
    .map(({ text, times }) => (times === 1 ? text : `${text}, ${times} times`))
    .map((text, index) => (index === 0 ? text : text[0]!.toLowerCase() + text.slice(1)))
    .join(', then ')
}

/** What a fault affects, like `30 % of refundPayment calls`. */
export function describeScope({ on, operation, target, probability }: FaultView): string {
  const calls = operation === null ? faultPointText[on] : `${operation} calls`
  const what = target === null ? calls : `${calls} to ${target}`
  return probability < 1 ? `${Math.round(probability * 100)} % of ${what}` : what
}
