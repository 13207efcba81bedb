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
 * @property {'approved' | 'rejected' | undefined} reviewed
 * @property {Range} resends
 * @property {Range} replays
 * @property {boolean} isTouched since it was looked at last
 */

/** @typedef {{ least: number, most: number }} Range */

/** What was asked and answered over all lives of the sandbox. */
export function createLedger() {
  /** @type {Payment[]} */
  const payments = []
  return {
    payments,
    /** What else was answered, with what it says has to be there. */
    answered: {
      /** @type {Set<string>} */
      snapshots: new Set(),
      /** @type {Set<number>} */
      pins: new Set(),
      /** What this behavior may be set to. */
      statusText: new Set(['documented']),
    },
    /** What the stream has told, by `seq`. @type {Map<number, string>} */
    told: new Map(),
    answers: 0,
    unanswered: 0,
    /** @returns {Created[]} */
    links: () => payments.flatMap(({ created }) => created),
  }
}

/** @typedef {ReturnType<typeof createLedger>} Ledger */

/**
 * @param {Payment} payment
 * @param {{ id: number, payId: number, text: string }} link
 * @returns {Created}
 */
export function addLink(payment, { id, payId, text }) {
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
  }
  payment.created.push(link)
  return link
}

/**
 * Notes that something was asked so many times, and how often that was answered with success.
 *
 * @param {Range} range
 * @param {boolean | undefined} success
 * @param {number} each
 */
export function count(range, success, each) {
  if (success) range.least += each
  if (success !== false) range.most += each
}
