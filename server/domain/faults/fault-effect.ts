import { parseDurationMs } from '../time/duration.ts'
import { truncate } from '../text/truncate.ts'
import { effectName, type FaultPoint } from './fault.ts'
import { findClosestMatch } from '../text/closest-match.ts'

/** What a fault does to a call. If `skipsCall` is true, the operation does not run. */
export type ApiEffect =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'refuse'; readonly message: string }
  | { readonly kind: 'latency' | 'rate-limit'; readonly ms: number }
  | { readonly kind: 'reset' | 'empty' | 'truncate' | 'html'; readonly skipsCall: boolean }
  /** If there is a `message`, the call is refused. */
  | { readonly kind: 'code-as-text'; readonly message: string | null }

/** What a fault does to an attempt to deliver a webhook. */
type WebhookEffect =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay' | 'reorder' | 'slow'; readonly ms: number }
  | { readonly kind: 'duplicate'; readonly copies: number }
  | { readonly kind: 'content-type'; readonly type: string }

/** What a fault does to the redirect to the shop. */
type RedirectEffect =
  | { readonly kind: 'lost' }
  | { readonly kind: 'status'; readonly text: string }
  | { readonly kind: 'pay-id'; readonly text: string }

/** A step of a script that does nothing. */
interface Pass {
  readonly kind: 'pass'
}

/** The type of the effects, for each kind of fault. */
export interface EffectByPoint {
  readonly api: ApiEffect
  readonly webhook: WebhookEffect
  readonly redirect: RedirectEffect
}

/** One way to write an effect: a text, followed by a parameter. */
export interface EffectForm {
  readonly prefix: string
  readonly parameter?: string
}

/** The parameter is in angle brackets: `latency:<time>`. */
export const formText = ({ prefix, parameter }: EffectForm): string =>
  parameter === undefined ? prefix : `${prefix}<${parameter}>`

interface EffectDefinition<Effect> {
  readonly forms: readonly EffectForm[]
  readonly does: string
  /** Returns `undefined` if the parameter is invalid. */
  parse(parameter: string): Effect | undefined
}

/** The effects by the word before the colon. An HTTP status alone has the key `STATUS`. */
type EffectDefinitions<Effect> = Readonly<Record<string, EffectDefinition<Effect | Pass>>>

const STATUS = '<status>'

const MAX_WAIT = '60s'
const MAX_DELAY = '30d'
const DEFAULT_REORDER = '5s'
const MAX_COPIES = 20

const pass: EffectDefinition<Pass> = {
  forms: [{ prefix: 'pass' }],
  does: 'Nothing fails in this step. 200 means the same.',
  parse: (parameter) => (parameter === '' ? { kind: 'pass' } : undefined),
}

/** Status 200 is a step that does nothing. Other statuses below 400 are invalid. */
function parseStatus(text: string): { readonly kind: 'status'; readonly status: number } | Pass | undefined {
  const status = Number(text)
  return status === 200 ? { kind: 'pass' } : status >= 400 ? { kind: 'status', status } : undefined
}

const parseTimeUpTo = (text: string, fallback: string, longest: string): number | undefined => {
  const ms = parseDurationMs(text === '' ? fallback : text)
  return ms === undefined || ms < 1 || ms > parseDurationMs(longest)! ? undefined : ms
}

/** An effect with a duration. The duration may be left out if there is a `fallback`. */
const createTimedEffect = <Name extends string>(
  kind: Name,
  does: string,
  { longest = MAX_WAIT, fallback = '' } = {},
): EffectDefinition<{ readonly kind: Name; readonly ms: number }> => ({
  forms: [...(fallback === '' ? [] : [{ prefix: kind }]), { prefix: `${kind}:`, parameter: 'time' }],
  does,
  parse: (parameter) => {
    const ms = parseTimeUpTo(parameter, fallback, longest)
    return ms === undefined ? undefined : { kind, ms }
  },
})

const createBrokenResponseEffect = <Name extends 'empty' | 'truncate' | 'html'>(
  kind: Name,
  does: string,
): EffectDefinition<{ readonly kind: Name; readonly skipsCall: boolean }> => ({
  forms: [{ prefix: kind }, { prefix: `${kind}:before` }],
  does: `${does} The call is carried out; with :before it is not.`,
  parse: (parameter) =>
    parameter === '' || parameter === 'before' ? { kind, skipsCall: parameter === 'before' } : undefined,
})

const api: EffectDefinitions<ApiEffect> = {
  pass,
  latency: createTimedEffect(
    'latency',
    `The answer is late. Example: latency:2s. The maximum is ${MAX_WAIT}.`,
  ),
  refuse: {
    forms: [{ prefix: 'refuse:', parameter: 'message' }],
    does: 'The call is refused with this ResponseMsg. It is not carried out.',
    parse: (message) => (message === '' ? undefined : { kind: 'refuse', message }),
  },
  'rate-limit': createTimedEffect(
    'rate-limit',
    `The call is refused with HTTP 429 and a Retry-After header, and not carried out. Example: rate-limit:5s. The maximum is ${MAX_WAIT}.`,
  ),
  'code-as-text': {
    forms: [{ prefix: 'code-as-text' }, { prefix: 'code-as-text:', parameter: 'message' }],
    does: 'ResponseCode is text in the answer, like "1". With a message, the call is refused with this message, and not carried out.',
    parse: (message) => ({ kind: 'code-as-text', message: message === '' ? null : message }),
  },
  reset: {
    forms: [{ prefix: 'reset' }],
    does: 'The call is carried out, and the connection is reset instead of an answer.',
    parse: (parameter) => (parameter === '' ? { kind: 'reset', skipsCall: false } : undefined),
  },
  'drop-request': {
    forms: [{ prefix: 'drop-request' }],
    does: 'The connection is reset before the call is carried out.',
    parse: (parameter) => (parameter === '' ? { kind: 'reset', skipsCall: true } : undefined),
  },
  empty: createBrokenResponseEffect('empty', 'The answer has no body.'),
  truncate: createBrokenResponseEffect('truncate', 'The answer ends in the middle of its body.'),
  html: createBrokenResponseEffect('html', 'The answer is a web page with HTTP 200 instead of JSON.'),
  [STATUS]: {
    forms: [{ prefix: '', parameter: 'status' }],
    does: 'The answer is an error page with this HTTP status, from 400 to 599, as if from a proxy. The call is not carried out.',
    parse: parseStatus,
  },
}

const webhook: EffectDefinitions<WebhookEffect> = {
  pass,
  drop: {
    forms: [{ prefix: 'drop' }],
    does: 'The attempt never reaches the target.',
    parse: (parameter) => (parameter === '' ? { kind: 'drop' } : undefined),
  },
  delay: createTimedEffect(
    'delay',
    `The webhook is sent later, by the sandbox's clock, and after later webhooks. Example: delay:5m. The maximum is ${MAX_DELAY}.`,
    { longest: MAX_DELAY },
  ),
  duplicate: {
    forms: [{ prefix: 'duplicate' }, { prefix: 'duplicate:', parameter: 'copies' }],
    does: `The webhook is sent once more, or as often as the number says. The maximum is ${MAX_COPIES}.`,
    parse: (parameter) => {
      const copies = parameter === '' ? 1 : /^\d{1,2}$/.test(parameter) ? Number(parameter) : 0
      return copies < 1 || copies > MAX_COPIES ? undefined : { kind: 'duplicate', copies }
    },
  },
  reorder: createTimedEffect(
    'reorder',
    `The next webhook to the same target is sent first. If none follows within ${DEFAULT_REORDER}, or within the given time, this one is sent.`,
    { longest: MAX_DELAY, fallback: DEFAULT_REORDER },
  ),
  slow: createTimedEffect(
    'slow',
    `The body takes this time to arrive. Example: slow:3s. The maximum is ${MAX_WAIT}.`,
  ),
  'content-type': {
    forms: [{ prefix: 'content-type:', parameter: 'type' }],
    does: 'The same body is sent with a different Content-Type. Example: content-type:text/plain.',
    parse: (type) =>
      /^[\w.+-]+\/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*$/.test(type) ? { kind: 'content-type', type } : undefined,
  },
  [STATUS]: {
    forms: [{ prefix: '', parameter: 'status' }],
    does: 'Nothing is sent. The attempt fails as if the target had answered with this HTTP status, from 400 to 599.',
    parse: parseStatus,
  },
}

const redirect: EffectDefinitions<RedirectEffect> = {
  pass,
  lost: {
    forms: [{ prefix: 'lost' }],
    does: 'The browser is closed before it returns to the shop.',
    parse: (parameter) => (parameter === '' ? { kind: 'lost' } : undefined),
  },
  status: {
    forms: [{ prefix: 'status:', parameter: 'text' }],
    does: 'The customer comes back with a different status. Example: status:Success after a cancellation.',
    parse: (text) => (text === '' ? undefined : { kind: 'status', text }),
  },
  'pay-id': {
    forms: [{ prefix: 'pay-id:', parameter: 'text' }],
    does: 'The customer comes back with a different pay_id.',
    parse: (text) => (text === '' ? undefined : { kind: 'pay-id', text }),
  },
}

const effects: { readonly [On in FaultPoint]: EffectDefinitions<EffectByPoint[On]> } = {
  api,
  webhook,
  redirect,
}

/** The effects of calls, webhooks or redirects, for help texts. */
export const listEffects = (on: FaultPoint): readonly Pick<EffectDefinition<unknown>, 'forms' | 'does'>[] =>
  Object.values(effects[on])

/** `reorder or reorder:<time>` */
export const formsText = (forms: readonly EffectForm[]): string => forms.map(formText).join(' or ')

/** Reads one step of a script. Returns `undefined` if the step is invalid. */
export function parseEffect<On extends FaultPoint>(
  on: On,
  text: string,
): EffectByPoint[On] | Pass | undefined {
  const definitions: EffectDefinitions<EffectByPoint[On]> = effects[on]
  if (/^[1-5]\d\d$/.test(text)) return definitions[STATUS]?.parse(text)
  const [, name = '', parameter = ''] = /^([a-z-]+)(?::(.+))?$/s.exec(text) ?? []
  return Object.hasOwn(definitions, name) ? definitions[name]?.parse(parameter) : undefined
}

/** What is wrong with a step of a script. Continues a sentence that begins with *the script*. `null` if the step is valid. */
export function whyInvalidEffect(on: FaultPoint, text: string): string | null {
  if (parseEffect(on, text) !== undefined) return null
  const definitions: EffectDefinitions<unknown> = effects[on]
  const name = effectName(text)
  const definition = Object.hasOwn(definitions, name) ? definitions[name] : undefined
  const has = `has the effect ${truncate(text, 100)}`
  if (definition) return `${has}, but ${name} is written ${formsText(definition.forms)} (${definition.does})`
  if (/^\d+$/.test(text) && Object.hasOwn(definitions, STATUS))
    return `${has}, but a status is 200 or from 400 to 599`
  const match = findClosestMatch(name, Object.keys(definitions))
  const others = listEffects(on).map(({ forms }) => formsText(forms))
  return match === undefined
    ? `${has}, which does not exist on ${on}. The effects are ${others.join(', ')}`
    : `${has}, which does not exist on ${on}, did you mean ${formsText(definitions[match]!.forms)}?`
}
