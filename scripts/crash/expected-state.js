/**
 * A payment as its caller knows it: what was requested, and what was answered. After a call without an answer, both outcomes
 * are possible.
 *
 * @typedef {object} Payment
 * @property {string} order the note of its links. It identifies a link whose creation got no answer.
 * @property {number} amount in cents
 * @property {readonly string[]} targets
 * @property {number} requests how often its link was requested
 * @property {ExpectedLink[]} links
 */

/**
 * @typedef {object} ExpectedLink
 * @property {number} id
 * @property {number} payId
 * @property {string} answerText the exact answer. Empty without an answer.
 * @property {Payment} payment
 * @property {Set<string>} statuses the possible values of its status
 * @property {{ amount: number, success: boolean | undefined }[]} refunds `success` is `undefined` without an answer
 * @property {'pending' | 'approved' | 'rejected' | undefined} refundState
 * @property {Range} resends
 * @property {Range} replays
 * @property {boolean} hasChanged since the last check
 * @property {number} createdAfter the newest `seq` at the last check before its creation
 * @property {Map<string, number>} minEvents how many events of a type the journal must contain at least
 */

/** @typedef {{ min: number, max: number }} Range */

/** Everything that was requested and answered, in all runs of the sandbox. */
export function createExpectedState() {
  return {
    /** @type {Payment[]} */
    payments: [],
    /** What must exist besides links, according to the answers. */
    other: {
      /** @type {Map<string, 'present' | 'deleted' | 'unknown'>} */
      snapshots: new Map(),
      /** @type {Set<number>} */
      pins: new Set(),
      /** The possible values of the behavior `statusText`. */
      statusText: new Set(['documented']),
    },
    /** What the stream of the current run has sent. */
    stream: createStreamLog(0),
    /** The newest `seq` at the last check. */
    newestSeq: 0,
    /** Problems, such as answers that are wrong in themselves. @type {string[]} */
    problems: [],
    answers: 0,
    unanswered: 0,
    /** @returns {ExpectedLink[]} */
    links() {
      return this.payments.flatMap(({ links }) => links)
    },
  }
}

/** @typedef {ReturnType<typeof createExpectedState>} ExpectedState */

/**
 * What a stream has sent since an event: the types by `seq`, and the last `seq`.
 *
 * @param {number} after
 */
export function createStreamLog(after) {
  return { after, last: after, /** @type {Map<number, string>} */ types: new Map() }
}

/**
 * @param {ExpectedState} expected
 * @param {Payment} payment
 * @param {{ id: number, payId: number, answerText: string }} link
 * @returns {ExpectedLink}
 */
export function addLink({ newestSeq }, payment, { id, payId, answerText }) {
  /** @type {ExpectedLink} */
  const link = {
    id,
    payId,
    answerText,
    payment,
    statuses: new Set(['unused']),
    refunds: [],
    refundState: undefined,
    resends: { min: 0, max: 0 },
    replays: { min: 0, max: 0 },
    hasChanged: true,
    createdAfter: newestSeq,
    minEvents: new Map(),
  }
  payment.links.push(link)
  return link
}

/**
 * Expects one more event of a type in the journal, because an answer implied it.
 *
 * @param {ExpectedLink} link
 * @param {string} type
 */
export function expectEvent(link, type) {
  link.minEvents.set(type, (link.minEvents.get(type) ?? 0) + 1)
}

/**
 * Counts a request that causes `each` deliveries if it succeeds. Without an answer, both outcomes are possible.
 *
 * @param {Range} range
 * @param {boolean | undefined} success
 * @param {number} each
 */
export function countRequest(range, success, each) {
  if (success) range.min += each
  if (success !== false) range.max += each
}
