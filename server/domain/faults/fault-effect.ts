import { durationMs } from '../time/duration.ts'
import { excerpt } from '../text/truncate.ts'
import type { Place } from './fault.ts'
import { nearest } from '../text/closest-match.ts'

/** What goes wrong with a call. `before` says that nothing of it was carried out. */
export type ApiEffect =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'refuse'; readonly message: string }
  | { readonly kind: 'latency'; readonly ms: number }
  | { readonly kind: 'reset' | 'empty' | 'truncate'; readonly before: boolean }

/** What goes wrong with an attempt to deliver a webhook. */
export type WebhookEffect =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'drop' }
  | { readonly kind: 'delay' | 'reorder' | 'slow'; readonly ms: number }
  | { readonly kind: 'duplicate'; readonly copies: number }
  | { readonly kind: 'content-type'; readonly type: string }

/** What goes wrong with the way back to the shop. */
export type RedirectEffect =
  | { readonly kind: 'lost' }
  | { readonly kind: 'status'; readonly text: string }
  | { readonly kind: 'pay-id'; readonly text: string }

/** The step of a script at which nothing goes wrong. */
interface Pass {
  readonly kind: 'pass'
}

interface Kind<Effect> {
  /** How it is written, with what stands for something in angle brackets. */
  readonly form: string
  readonly does: string
  /** `undefined` for a parameter that it does not take. */
  read(parameter: string): Effect | undefined
}

type Kinds<Effect> = Readonly<Record<string, Kind<Effect | Pass>>>

const SECONDS = 1_000
const LONGEST_WAIT_MS = 60 * SECONDS
const LONGEST_BY_CLOCK_MS = 30 * 86_400 * SECONDS
const MOST_COPIES = 20

const pass: Kind<Pass> = {
  form: 'pass',
  does: 'Nothing goes wrong at this step of a script. 200 means the same.',
  read: (parameter) => (parameter === '' ? { kind: 'pass' } : undefined),
}

const within = (text: string, otherwise: string, longestMs: number): number | undefined => {
  const ms = durationMs(text === '' ? otherwise : text)
  return ms === undefined || ms < 1 || ms > longestMs ? undefined : ms
}

/** An effect that takes a time; without `otherwise` it has to be said. */
const timed = <Name extends string>(
  kind: Name,
  form: string,
  does: string,
  { longestMs = LONGEST_WAIT_MS, otherwise = '' } = {},
): Kind<{ readonly kind: Name; readonly ms: number }> => ({
  form,
  does,
  read: (parameter) => {
    const ms = within(parameter, otherwise, longestMs)
    return ms === undefined ? undefined : { kind, ms }
  },
})

const isBefore = { '': false, before: true } as const

const lostAnswer = <Name extends 'empty' | 'truncate'>(
  kind: Name,
  does: string,
): Kind<{ readonly kind: Name; readonly before: boolean }> => ({
  form: `${kind} or ${kind}:before`,
  does: `${does} The call is carried out; with :before it is not.`,
  read: (parameter) =>
    Object.hasOwn(isBefore, parameter)
      ? { kind, before: isBefore[parameter as keyof typeof isBefore] }
      : undefined,
})

const api: Kinds<ApiEffect> = {
  pass,
  latency: timed('latency', 'latency:<time>', 'The answer is late, like latency:2s; at most 60s.'),
  refuse: {
    form: 'refuse:<message>',
    does: 'The call is refused with this ResponseMsg, and nothing is done.',
    read: (message) => (message === '' ? undefined : { kind: 'refuse', message }),
  },
  reset: {
    form: 'reset',
    does: 'The call is carried out, and the connection is reset instead of an answer.',
    read: (parameter) => (parameter === '' ? { kind: 'reset', before: false } : undefined),
  },
  'drop-request': {
    form: 'drop-request',
    does: 'The connection is reset before the call is carried out.',
    read: (parameter) => (parameter === '' ? { kind: 'reset', before: true } : undefined),
  },
  empty: lostAnswer('empty', 'The answer has no body.'),
  truncate: lostAnswer('truncate', 'The answer ends in the middle of its body.'),
}

const webhook: Kinds<WebhookEffect> = {
  pass,
  drop: {
    form: 'drop',
    does: 'The attempt never reaches the target.',
    read: (parameter) => (parameter === '' ? { kind: 'drop' } : undefined),
  },
  delay: timed(
    'delay',
    'delay:<time>',
    "It is sent later, by the sandbox's clock, like delay:5m; at most 30d. Those behind it go first.",
    { longestMs: LONGEST_BY_CLOCK_MS },
  ),
  duplicate: {
    form: 'duplicate or duplicate:<copies>',
    does: 'It is sent once more, or so many times more; at most 20.',
    read: (parameter) => {
      const copies = parameter === '' ? 1 : /^\d{1,2}$/.test(parameter) ? Number(parameter) : 0
      return copies < 1 || copies > MOST_COPIES ? undefined : { kind: 'duplicate', copies }
    },
  },
  reorder: timed(
    'reorder',
    'reorder or reorder:<time>',
    'The next webhook to the same target goes first. Where none comes it goes after 5s, or after this time.',
    { longestMs: LONGEST_BY_CLOCK_MS, otherwise: '5s' },
  ),
  slow: timed('slow', 'slow:<time>', 'The body takes this time to arrive, like slow:3s; at most 60s.'),
  'content-type': {
    form: 'content-type:<type>',
    does: 'The same body with another Content-Type, like content-type:text/plain.',
    read: (type) =>
      /^[\w.+-]+\/[\w.+-]+(; ?[\w.+-]+=[\w.+-]+)*$/.test(type) ? { kind: 'content-type', type } : undefined,
  },
}

const redirect: Kinds<RedirectEffect> = {
  pass,
  lost: {
    form: 'lost',
    does: 'The browser is closed before it gets back to the shop.',
    read: (parameter) => (parameter === '' ? { kind: 'lost' } : undefined),
  },
  status: {
    form: 'status:<text>',
    does: 'The customer comes back with another status, like status:Success after a cancellation.',
    read: (text) => (text === '' ? undefined : { kind: 'status', text }),
  },
  'pay-id': {
    form: 'pay-id:<text>',
    does: 'The customer comes back with another pay_id.',
    read: (text) => (text === '' ? undefined : { kind: 'pay-id', text }),
  },
}

const status: Readonly<Record<'api' | 'webhook', { readonly form: string; readonly does: string }>> = {
  api: {
    form: '<status>',
    does: 'An error page with this HTTP status, from 400 to 599, as a proxy in front of the service shows it. Nothing is done.',
  },
  webhook: {
    form: '<status>',
    does: 'As though the target had answered with this HTTP status, from 400 to 599. It gets nothing.',
  },
}

/** The effects of a place, for whoever lists or explains them. */
export const effectsOf = (on: Place): readonly { readonly form: string; readonly does: string }[] => [
  ...Object.values({ api, webhook, redirect }[on]),
  ...(on === 'redirect' ? [] : [status[on]]),
]

/** The effects that a call, an attempt or a redirect can have. */
export interface EffectAt {
  readonly api: ApiEffect
  readonly webhook: WebhookEffect
  readonly redirect: RedirectEffect
}

/** Reads one step of a script, `undefined` for what is none. */
export function readEffect<On extends Place>(on: On, text: string): EffectAt[On] | Pass | undefined {
  const kinds: Kinds<unknown> = { api, webhook, redirect }[on]
  if (on !== 'redirect' && /^[1-5]\d\d$/.test(text))
    return readStatus(Number(text)) as EffectAt[On] | Pass | undefined
  const [, name = '', parameter = ''] = /^([a-z-]+)(?::(.+))?$/s.exec(text) ?? []
  return (Object.hasOwn(kinds, name) ? kinds[name]?.read(parameter) : undefined) as
    | EffectAt[On]
    | Pass
    | undefined
}

const readStatus = (code: number): { kind: 'status'; status: number } | Pass | undefined =>
  code === 200 ? { kind: 'pass' } : code >= 400 ? { kind: 'status', status: code } : undefined

/** What is wrong with a step of a script, and what it could be. */
export function objectionToEffect(on: Place, text: string): string | null {
  if (readEffect(on, text) !== undefined) return null
  const kinds: Kinds<unknown> = { api, webhook, redirect }[on]
  const name = text.split(':', 1)[0] ?? ''
  const known = Object.hasOwn(kinds, name) ? kinds[name] : undefined
  if (known) return `${excerpt(text, 100)} is not how ${name} is written: ${known.form}. ${known.does}`
  const meant = nearest(name, Object.keys(kinds))
  const others = effectsOf(on).map(({ form }) => form)
  return meant === undefined
    ? `There is no effect ${excerpt(text, 100)} on ${on}. There are ${others.join(', ')}.`
    : `There is no effect ${excerpt(text, 100)} on ${on}, did you mean ${kinds[meant]!.form}?`
}
