import { listEffects } from '../../server/domain/faults/fault-effect.ts'
import type { FaultPoint } from '../../server/domain/faults/fault.ts'

/** What is chosen in the form, as it was typed. */
export interface FaultDraft {
  readonly on: FaultPoint
  /** One of the forms that effects of that place have, or `SCRIPT`. */
  readonly form: string
  /** What stands in the form's angle brackets, or the script. */
  readonly parameter: string
  readonly often: 'times' | 'always' | 'chance'
  readonly times: string
  readonly percent: string
  /** Empty for every account. */
  readonly account: string
  /** The operation or the beginning of the target. Empty for all. */
  readonly only: string
}

/** Several effects, one after another. */
export const SCRIPT = 'script'

const EXAMPLES: Readonly<Record<string, string>> = {
  '<status>': '500',
  'latency:<time>': '2s',
  'refuse:<message>': 'Service temporarily unavailable',
  'delay:<time>': '5m',
  'duplicate:<copies>': '2',
  'reorder:<time>': '5s',
  'slow:<time>': '3s',
  'content-type:<type>': 'text/plain',
  'status:<text>': 'Success',
  'pay-id:<text>': '1',
}

/** Everything that can be chosen to go wrong at a place, each way of writing it by itself. */
export const choicesOf = (on: FaultPoint): readonly { readonly form: string; readonly does: string }[] =>
  listEffects(on)
    .filter(({ form }) => form !== 'pass')
    .flatMap(({ form, does }) => form.split(' or ').map((one) => ({ form: one, does })))

/** What a form asks for, like `time`. `undefined` where it asks for nothing. */
export const parameterOf = (form: string): string | undefined => /<([^>]+)>/.exec(form)?.[1]

export const exampleOf = (form: string, on: FaultPoint): string =>
  form === SCRIPT ? (on === 'api' ? '500,500,pass' : 'pass,lost') : (EXAMPLES[form] ?? '')

export function draftOn(on: FaultPoint): FaultDraft {
  const [first] = choicesOf(on)
  const form = first?.form ?? SCRIPT
  return {
    on,
    form,
    parameter: exampleOf(form, on),
    often: 'times',
    times: '1',
    percent: '20',
    account: '',
    only: '',
  }
}

/** The request that a draft stands for. */
export function requestOf(draft: FaultDraft) {
  const { on, form, parameter, often, times, percent, account, only } = draft
  const script = form === SCRIPT ? parameter : [form.replace(/<[^>]+>/, parameter)]
  const narrowed = only === '' ? {} : on === 'api' ? { operation: only } : { target: only }
  const repeated = {
    times: { times: Number(times) },
    always: { times: 'always' as const },
    chance: { probability: Number(percent) / 100 },
  }[often]
  return {
    query: account === '' ? {} : { account },
    json: { on, script, ...(on === 'redirect' ? {} : narrowed), ...repeated },
  }
}
