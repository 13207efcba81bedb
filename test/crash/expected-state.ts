/** A payment as its caller knows it. After a call without an answer, both outcomes are possible. */
export interface Payment {
  /** The note of the payment's links. It identifies a link even if the call that created it got no answer. */
  readonly order: string
  /** In cents. */
  readonly amount: number
  readonly targets: readonly string[]
  /** How often the link was requested. */
  requests: number
  links: ExpectedLink[]
}

export interface ExpectedLink {
  id: number
  payId: number
  /** The exact text of the answer. Empty without an answer. */
  readonly answerText: string
  readonly payment: Payment
  /** The statuses that the payment may have. */
  statuses: Set<string>
  /** `success` is `undefined` without an answer. */
  refunds: { amount: number; success: boolean | undefined }[]
  refundState: 'pending' | 'approved' | 'rejected' | undefined
  readonly resends: Range
  readonly replays: Range
  /** The newest `seq` at the last check before the payment was created. */
  readonly createdAfter: number
  /** How many events of a type the journal must contain at least, according to the answers. */
  readonly minEvents: Map<string, number>
}

/** The smallest and the largest number of deliveries that are possible. */
export interface Range {
  min: number
  max: number
}

/** Everything that was requested and answered, in all runs of the sandbox. */
export function createExpectedState() {
  return {
    payments: [] as Payment[],
    snapshots: new Map<string, 'present' | 'deleted' | 'unknown'>(),
    /** The values that the behavior `statusText` may have. */
    statusText: new Set(['documented']),
    /** The newest `seq` at the last check. */
    newestSeq: 0,
    /** Problems that an answer shows by itself. */
    problems: [] as string[],
    answers: 0,
    unanswered: 0,
  }
}

export type ExpectedState = ReturnType<typeof createExpectedState>

export const linksOf = ({ payments }: ExpectedState): ExpectedLink[] => payments.flatMap(({ links }) => links)

export function addLink(
  { newestSeq }: ExpectedState,
  payment: Payment,
  answered: { readonly id: number; readonly payId: number; readonly answerText: string },
): ExpectedLink {
  const link: ExpectedLink = {
    ...answered,
    payment,
    statuses: new Set(['unused']),
    refunds: [],
    refundState: undefined,
    resends: { min: 0, max: 0 },
    replays: { min: 0, max: 0 },
    createdAfter: newestSeq,
    minEvents: new Map(),
  }
  payment.links.push(link)
  return link
}

/** Counts an event of a type that the journal must contain, according to an answer. */
export function expectEvent({ minEvents }: ExpectedLink, type: string): void {
  minEvents.set(type, (minEvents.get(type) ?? 0) + 1)
}

/** Counts a request that causes `each` deliveries if it succeeds. Without an answer, both outcomes are possible. */
export function countRequest(range: Range, success: boolean | undefined, each: number): void {
  if (success) range.min += each
  if (success !== false) range.max += each
}
