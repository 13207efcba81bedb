/**
 * A payment as whoever asked for it knows it: what was asked, and what was answered. `undefined` stands for an answer
 * that never came, after which either may be so.
 *
 * @typedef {object} Payment
 * @property {string} order the note, by which a link is found whose answer never came
 * @property {number} amount in cents
 * @property {readonly string[]} targets
 * @property {number} asked how often the link was asked for
 * @property {Created[]} created
 */

/**
 * @typedef {object} Created
 * @property {number} id
 * @property {number} payId
 * @property {string} text the answer, to the byte
 * @property {Payment} payment
 * @property {Set<string>} may what its status may be
 * @property {{ amount: number, success: boolean | undefined }[]} refunds
 * @property {'pending' | 'approved' | 'rejected' | undefined} reviewed
 * @property {Range} resends
 * @property {Range} replays
 * @property {boolean} isTouched since it was looked at last
 * @property {number} after what the journal had come to before it was created
 * @property {Map<string, number>} told how often the journal has to tell what, at least
 */

/** @typedef {{ least: number, most: number }} Range */

/** What was asked and answered over all lives of the sandbox. */
export function createExpectedState() {
  /** @type {Payment[]} */
  const payments = []
  return {
    payments,
    /** What else was answered, with what it says has to be there. */
    answered: {
      /** @type {Map<string, 'there' | 'gone' | 'unknown'>} */
      snapshots: new Map(),
      /** @type {Set<number>} */
      pins: new Set(),
      /** What this behavior may be set to. */
      statusText: new Set(['documented']),
    },
    /** What the stream of this life has told, from where. */
    stream: createStreamLog(0),
    /** How far the journal was when it was looked at last. */
    head: 0,
    /** Answers that are wrong in themselves. @type {string[]} */
    unexpected: [],
    answers: 0,
    unanswered: 0,
    /** @returns {Created[]} */
    links: () => payments.flatMap(({ created }) => created),
  }
}

/** @typedef {ReturnType<typeof createExpectedState>} Ledger */

/**
 * What a stream has told that set out after an event: types by `seq`, and the last of these.
 *
 * @param {number} after
 */
export function createStreamLog(after) {
  return { after, last: after, /** @type {Map<number, string>} */ told: new Map() }
}

/**
 * @param {Ledger} ledger
 * @param {Payment} payment
 * @param {{ id: number, payId: number, text: string }} link
 * @returns {Created}
 */
export function addLink({ head }, payment, { id, payId, text }) {
  /** @type {Created} */
  const link = {
    id,
    payId,
    text,
    payment,
    may: new Set(['unused']),
    refunds: [],
    reviewed: undefined,
    resends: { least: 0, most: 0 },
    replays: { least: 0, most: 0 },
    isTouched: true,
    after: head,
    told: new Map(),
  }
  payment.created.push(link)
  return link
}

/**
 * Notes that an answer was given which the journal has to bear out.
 *
 * @param {Created} link
 * @param {string} type
 */
export function expectEvent(link, type) {
  link.told.set(type, (link.told.get(type) ?? 0) + 1)
}

/**
 * Notes that something was asked so many times, and how often that was answered with success.
 *
 * @param {Range} range
 * @param {boolean | undefined} success
 * @param {number} each
 */
export function countRequest(range, success, each) {
  if (success) range.least += each
  if (success !== false) range.most += each
}
