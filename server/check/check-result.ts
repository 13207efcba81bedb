import type { Exchange } from '../domain/exchange.ts'

/** What came of one case. */
export interface CheckResult {
  readonly name: string
  readonly group: string
  /** What was sent. */
  readonly title: string
  /** Why it matters. */
  readonly why: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly ms: number
  readonly expected: string
  /** What was there, or why it was skipped. */
  readonly seen: string
  /** The case that failed before for the same cause. `null` where none did, or where that is not known. */
  readonly sameAs: string | null
  /** The answer that the verdict rests on. `null` where it rests on the order. */
  readonly exchange: Exchange | null
  /** A command that sends the same once more. `null` where one request is not enough. */
  readonly repeat: string | null
}

export interface CheckReport {
  readonly receiver: string
  /** What was judged: answers alone, whether orders were paid too, or even how often they were fulfilled. */
  readonly judged: 'answers' | 'orders' | 'fulfilments'
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** What is behind several failures, and what to do. `null` where nothing is known to be. */
  readonly advice: string | null
  readonly results: readonly CheckResult[]
}
