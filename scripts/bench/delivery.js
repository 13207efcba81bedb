import { fillPaidLinks } from './fill-paid-links.js'
import { makeFolder, startProcess, startSandbox, startServer } from './processes.js'
import { callOnce, settle } from './requests.js'
import { median, medianRatio, limitedRounds } from './statistics.js'

/** @typedef {import('./processes.js').Server} Server */

const TARGETS = 16
const SLOW_MS = 200
/** The time limit for each set of targets. */
const MAX_MS = 15_000

/** @type {import('./report.js').Part} */
export const delivery = {
  title: 'Webhooks, each attempt recorded',
  columns: ['sandbox', 'POSTs, kept', 'POSTs, new'],

  async run(partRun) {
    const receiver = await startServer('receiver.js')
    const client = await startProcess('load.js')
    const folder = makeFolder()
    const targetsOf = (/** @type {number} */ fast) =>
      Array.from(
        { length: TARGETS },
        (_, number) => `${receiver.url}/${number}${number < fast ? '' : `?ms=${SLOW_MS}`}`,
      )
    const cases = [
      { what: `${TARGETS} fast targets`, fast: TARGETS, each: partRun.isQuick ? 5 : 50, minRatio: 0.3 },
      { what: `${TARGETS} targets that take ${SLOW_MS} ms`, fast: 0, each: partRun.isQuick ? 2 : 10 },
      {
        what: `${TARGETS / 2} fast targets next to as many slow ones`,
        fast: TARGETS / 2,
        each: partRun.isQuick ? 2 : 20,
      },
    ]
    const prepared = []
    for (const { fast, ...one } of cases) {
      const targets = targetsOf(fast)
      prepared.push({ ...one, fast, targets, paid: await fillPaidLinks(folder, targets, one.each) })
    }
    const sandbox = await startSandbox(folder)
    // Discards the webhooks of the payments.
    await receiver.ask('arrivals')

    for (const { what, fast, each, targets, paid, minRatio } of prepared) {
      /** If there are fast targets, only those are counted. */
      const counted = targets.slice(0, fast || TARGETS)
      /** @type {{ own: number[], plain: number[], reset: number[], cpu: number[] }} */
      const rates = { own: [], plain: [], reset: [], cpu: [] }
      await send(sandbox, receiver, paid, counted.length)
      for (const _ of limitedRounds(partRun.isQuick ? 1 : 5, MAX_MS)) {
        const { rate, cpu } = await send(sandbox, receiver, paid, counted.length)
        rates.own.push(rate)
        rates.cpu.push(cpu)
        const paths = counted.map((target) => target.slice(receiver.url.length))
        const maxCalls = each * counted.length
        const load = { origin: receiver.url, paths, connections: paths.length, ms: 30_000, maxCalls }
        rates.plain.push((await client.ask(load)).rate)
        rates.reset.push((await client.ask({ ...load, reset: true })).rate)
        await receiver.ask('arrivals')
      }
      partRun.addRow({
        what,
        unit: '/s',
        measured: median(rates.own),
        baseline: median(rates.plain),
        floor: median(rates.reset),
        ratio: medianRatio(rates.own, rates.plain),
        ...(minRatio !== undefined && { target: { ratio: minRatio } }),
      })
      partRun.addRow({ what: `${what}: processor for each`, unit: 'µs', measured: median(rates.cpu) })
    }
    for (const process of [client, sandbox, receiver]) await process.end()
  },
}

/**
 * Sends webhooks to every target, and waits until each attempt is recorded.
 *
 * @param {Server} sandbox
 * @param {Server} receiver
 * @param {{ first: number, last: number }} paid
 * @param {number} counted how many of the targets count, beginning with the first
 */
async function send(sandbox, receiver, { first, last }, counted) {
  const each = last - first + 1
  const ids = Array.from({ length: each }, (_, number) => first + number)
  const before = await sandbox.usage()
  await callOnce(sandbox.url, 'sendWebhookViaPayId', { pay_ids: ids.join(','), status: 'Success' })
  await settle(sandbox.url)
  const end = process.hrtime.bigint()
  const after = await sandbox.usage()

  /** @type {[path: string, at: string][]} */
  const arrivals = await receiver.ask('arrivals')
  if (arrivals.length !== each * TARGETS)
    throw new Error(`${arrivals.length} of ${each * TARGETS} webhooks arrived`)
  const arrivalTimes = arrivals.flatMap(([path, at]) => (Number(path.slice(1)) < counted ? [BigInt(at)] : []))
  // If all targets are counted, the time ends with the last recorded attempt. Fast targets have finished before that.
  const until = counted === TARGETS ? end : /** @type {bigint} */ (arrivalTimes.at(-1))
  const seconds = Number(until - /** @type {bigint} */ (arrivalTimes[0])) / 1e9
  return { rate: arrivalTimes.length / seconds, cpu: (after.cpu - before.cpu) / arrivals.length }
}
