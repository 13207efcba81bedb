import { formText, listEffects, type EffectForm } from '../../../server/domain/faults/fault-effect.ts'
import type { FaultPoint } from '../../../server/domain/faults/fault.ts'

/** The input of the form for a new fault. */
export interface FaultDraft {
  readonly on: FaultPoint
  /** The form of an effect, like `latency:<time>`, or `SCRIPT`. */
  readonly form: string
  /** The value in the angle brackets, or the script. */
  readonly parameter: string
  readonly frequency: 'times' | 'always' | 'random'
  readonly times: string
  readonly percent: string
  /** The id of an account. Empty for all accounts. */
  readonly account: string
  /** An operation, or the beginning of a target. Empty for all. */
  readonly scope: string
}

/** The choice that means several effects in sequence. */
export const SCRIPT = 'script'

const EXAMPLES: Readonly<Record<string, string>> = {
  '<status>': '500',
  'latency:<time>': '2s',
  'refuse:<message>': 'Service temporarily unavailable',
  'rate-limit:<time>': '5s',
  'code-as-text:<message>': 'Service temporarily unavailable',
  'delay:<time>': '5m',
  'duplicate:<copies>': '2',
  'reorder:<time>': '5s',
  'slow:<time>': '3s',
  'content-type:<type>': 'text/plain',
  'status:<text>': 'Success',
  'pay-id:<text>': '1',
}

interface EffectChoice extends EffectForm {
  readonly form: string
  readonly does: string
}

/** The effects to choose from. An effect with two forms has two entries. */
export const effectChoices = (on: FaultPoint): readonly EffectChoice[] =>
  listEffects(on)
    .flatMap(({ forms, does }) => forms.map((form) => ({ ...form, form: formText(form), does })))
    .filter(({ form }) => form !== 'pass')

export const findChoice = ({ on, form }: Pick<FaultDraft, 'on' | 'form'>): EffectChoice | undefined =>
  effectChoices(on).find((choice) => choice.form === form)

const SCRIPTS: Readonly<Record<FaultPoint, string>> = {
  api: '500,500,pass',
  webhook: '500,pass',
  redirect: 'pass,lost',
}

export const exampleOf = (form: string, on: FaultPoint): string =>
  form === SCRIPT ? SCRIPTS[on] : (EXAMPLES[form] ?? '')

export function newDraft(on: FaultPoint): FaultDraft {
  const [first] = effectChoices(on)
  const form = first?.form ?? SCRIPT
  return {
    on,
    form,
    parameter: exampleOf(form, on),
    frequency: 'times',
    times: '1',
    percent: '20',
    account: '',
    scope: '',
  }
}

/** The request that creates the fault. */
export function toRequest(draft: FaultDraft) {
  const { on, parameter, frequency, times, percent, account, scope } = draft
  const choice = findChoice(draft)
  const script =
    choice === undefined
      ? parameter
      : [choice.parameter === undefined ? choice.prefix : choice.prefix + parameter]
  const limits = scope === '' ? {} : on === 'api' ? { operation: scope } : { target: scope }
  const repetition = {
    times: { times: Number(times) },
    always: { times: 'always' as const },
    random: { probability: Number(percent) / 100 },
  }[frequency]
  return {
    query: account === '' ? {} : { account },
    json: { on, script, ...(on === 'redirect' ? {} : limits), ...repetition },
  }
}
