import type { ShownEvent } from '../server/control/present.ts'
export declare const kinds: readonly [
  'api',
  'page',
  'customer',
  'redirect',
  'webhook',
  'tunnel',
  'operator',
  'diagnostic',
  'system',
]
export type Kind = (typeof kinds)[number]
export type Tone = 'ok' | 'err' | 'warn' | 'plain'
/** One line of the timeline. */
export interface Row {
  readonly kind: Kind
  readonly tone: Tone
  /** A symbol with a word or a number, so that colour never stands alone. */
  readonly status: string
  /** The HTTP status, where there is one. */
  readonly code: number | null
  readonly request: string
  readonly message: string
  readonly payId: number | null
  /** In milliseconds. */
  readonly took: number | null
}
/** Says what an event is, in the words of the timeline. */
export declare function describe(event: ShownEvent): Row
