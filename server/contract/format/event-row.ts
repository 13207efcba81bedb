export const eventKinds = [
  'api',
  'page',
  'customer',
  'redirect',
  'webhook',
  'check',
  'tunnel',
  'operator',
  'diagnostic',
  'system',
] as const

export type EventKind = (typeof eventKinds)[number]

export type Tone = 'ok' | 'err' | 'warn' | 'plain'

/** The status of an event. It has a symbol, so that its meaning is also clear without the color. */
export interface Status {
  readonly tone: Tone
  readonly symbol: '✓' | '✕' | '↻' | '○' | '–'
  readonly word: string
  /** The HTTP status code, `null` if the event has none. */
  readonly code: number | null
}

/** One row of the timeline. */
export interface EventRow extends Status {
  readonly kind: EventKind
  /** What happened, or why it failed. */
  readonly lead: string
  readonly rest: string
  readonly payId: number | null
  /** Milliseconds. */
  readonly took: number | null
}

/** `✓ paid` */
export const formatStatus = ({ symbol, word }: Pick<Status, 'symbol' | 'word'>): string => `${symbol} ${word}`

export const goodStatus = (word: string): Status => ({ tone: 'ok', symbol: '✓', word, code: null })

export const badStatus = (word: string): Status => ({ tone: 'err', symbol: '✕', word, code: null })

export const waitingStatus = (word: string): Status => ({ tone: 'warn', symbol: '○', word, code: null })

export const plainStatus = (word: string): Status => ({ tone: 'plain', symbol: '–', word, code: null })

/** A failed attempt that will be retried. */
export const retryingStatus = (status: Status): Status => ({ ...status, tone: 'warn', symbol: '↻' })

/** The status of an HTTP response, `null` if none arrived. */
export function httpStatus(code: number | null, isGood?: boolean): Status {
  if (code === null) return badStatus('no response')
  return { ...((isGood ?? (code >= 200 && code < 400)) ? goodStatus : badStatus)(String(code)), code }
}

/** The status of a webhook that a tunnel stored. It is neither delivered nor failed. */
export const storedStatus = (code: number | null): Status => ({
  tone: 'plain',
  symbol: '○',
  word: 'stored',
  code,
})

/** The status of a request of a receiver check. It is neutral for a 4xx response, which can be correct there. */
export const checkStatus = (code: number | null, hungUp = false): Status =>
  hungUp
    ? plainStatus('hung up')
    : code !== null && code >= 400 && code < 500
      ? { ...plainStatus(String(code)), code }
      : httpStatus(code)
