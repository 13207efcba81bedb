/** @typedef {import('./expected-state.js').ExpectedLink} ExpectedLink */

/**
 * @param {string} name
 * @param {ExpectedLink} link
 * @param {{ status: string, amount: number }} row
 * @param {any} refund the row of its refund, if there is one
 * @param {string[]} problems
 */
export function checkRefund(name, link, row, refund, problems) {
  const successes = link.refunds.filter(({ success }) => success)
  if (successes.length > 1) problems.push(`${name}: ${successes.length} refunds were accepted.`)
  if (!refund) {
    if (successes.length > 0) problems.push(`${name}: a refund was accepted, but is missing.`)
    link.refunds = []
    return
  }
  if (refund.amount > row.amount)
    problems.push(`${name}: ${refund.amount} of ${row.amount} cents are refunded.`)
  if (row.status !== 'paid') problems.push(`${name} is ${row.status}, but has a refund.`)
  const possible =
    successes.length > 0 ? successes : link.refunds.filter(({ success }) => success === undefined)
  if (!possible.some(({ amount }) => amount === refund.amount)) {
    problems.push(`${name}: there is a refund of ${refund.amount} cents that was not accepted.`)
  }
  if (link.refundState && refund.state !== link.refundState) {
    problems.push(`${name}: the refund is ${refund.state}, but was answered to be ${link.refundState}.`)
  }
  link.refunds = [{ amount: refund.amount, success: true }]
  link.refundState = refund.state
}
