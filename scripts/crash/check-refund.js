/** @typedef {import('./expected-state.js').Created} Created */

/**
 * @param {string} name
 * @param {Created} link
 * @param {{ status: string, amount: number }} row
 * @param {any} refund
 * @param {string[]} wrong
 */
export function checkRefund(name, link, row, refund, wrong) {
  const successes = link.refunds.filter(({ success }) => success)
  if (successes.length > 1) wrong.push(`${name}: ${successes.length} refunds were answered with success.`)
  if (!refund) {
    if (successes.length > 0) wrong.push(`${name}: the refund that was answered is not there.`)
    link.refunds = []
    return
  }
  if (refund.amount > row.amount) wrong.push(`${name}: ${refund.amount} of ${row.amount} cents are refunded.`)
  if (row.status !== 'paid') wrong.push(`${name} is ${row.status}, and refunded.`)
  const possible =
    successes.length > 0 ? successes : link.refunds.filter(({ success }) => success === undefined)
  if (!possible.some(({ amount }) => amount === refund.amount)) {
    wrong.push(`${name}: a refund of ${refund.amount} cents is there that nobody was promised.`)
  }
  if (link.reviewed && refund.state !== link.reviewed) {
    wrong.push(`${name}: the refund was answered to be ${link.reviewed}, and is ${refund.state}.`)
  }
  link.refunds = [{ amount: refund.amount, success: true }]
  link.reviewed = refund.state
}
