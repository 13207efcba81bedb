import { request } from 'undici'
import { webhookRequest } from './api-requests.js'
import { makeFolder, startSandbox, startServer } from './processes.js'
import { callOnce, settle } from './requests.js'
import { percentile, limitedRounds } from './statistics.js'

const MAX_MS = 25_000

/** @type {import('./report.js').Part} */
export const payments = {
  title: 'From a payment to the first byte of its webhook',
  columns: ['sandbox', 'plain POST'],

  async run(partRun) {
    const receiver = await startServer('receiver.js')
    const sandbox = await startSandbox(makeFolder())
    /** Ways to cause a POST to the receiver: paying a link, or posting directly. */
    const ways = {
      'the button of the checkout': (/** @type {Link} */ { pay_link: url }) =>
        request(url, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'method=card&outcome=pay',
        }),
      'a payment by the control API': (/** @type {Link} */ { id }) =>
        request(`${sandbox.url}/_sandbox/v1/links/${id}/pay`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"method":"card","wait":"accepted"}',
        }),
      plain(/** @type {Link} */ _link, /** @type {string} */ target) {
        const { path: _path, ...webhook } = webhookRequest(target)
        return request(target, webhook)
      },
    }
    /** @type {Record<string, number[]>} */
    const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]))

    const warmUp = partRun.isQuick ? 0 : 20
    for (const round of limitedRounds(partRun.isQuick ? 3 : 150, MAX_MS)) {
      for (const [way, start] of Object.entries(ways)) {
        const target = `${receiver.url}/${times[way]?.length}`
        const link = await callOnce(sandbox.url, 'createLink', { amount: 10, payment_endpoint: target })
        const began = process.hrtime.bigint()
        const { statusCode, body } = await start(link, target)
        await body.dump()
        if (statusCode >= 400) throw new Error(`${way} answered ${statusCode}`)
        await settle(sandbox.url)
        const [arrival] = /** @type {[string, string][]} */ (await receiver.ask('arrivals'))
        if (arrival === undefined) throw new Error(`${way} sent no webhook`)
        if (round >= warmUp) times[way]?.push(Number(BigInt(arrival[1]) - began) / 1e6)
      }
    }
    for (const way of Object.keys(ways).filter((name) => name !== 'plain')) {
      for (const [name, fraction, limit] of /** @type {const} */ ([
        ['p50', 0.5, 5],
        ['p99', 0.99, undefined],
      ])) {
        partRun.addRow({
          what: `${way}, ${name}`,
          unit: 'ms',
          measured: percentile(times[way] ?? [], fraction),
          baseline: percentile(times['plain'] ?? [], fraction),
          ...(limit !== undefined && { target: { value: limit } }),
        })
      }
    }
    for (const process of [sandbox, receiver]) await process.end()
  },
}

/** @typedef {{ id: number, pay_link: string }} Link */
