import { Pool } from 'undici'
import { findOrFetchPostgres } from '../find-postgres.js'
import { startPostgres } from '../start-postgres.js'
import { openBareCommits } from './bare-commits.js'
import { runAtEnd, makeFolder, startProcess, startSandbox, startServer } from './processes.js'
import { callOnce, postControl, settle } from './requests.js'
import { limitedRounds, median, medianRatio } from './statistics.js'

/** @typedef {import('./processes.js').Server} Server */

const CONNECTIONS = 16
/** The target ratios of createSplitLink, by the number of connections. */
const CALL_TARGETS = { 1: 0.6, 16: 0.8, 64: 0.8 }
const PAYMENT_MS = 4
const DELIVERY_RATIO = 0.6
/** How many webhooks each target gets. */
const WEBHOOKS = 50
const SCHEMAS = 4
const REPLICAS = 3
const MAX_MS = 15_000

/** @type {import('./report.js').Part} */
export const postgres = {
  title: 'On PostgreSQL, next to SQLite in the same run',
  columns: ['PostgreSQL', 'SQLite', 'bare commit'],

  async run(partRun) {
    const programs = findOrFetchPostgres()
    if (programs === undefined) {
      process.stderr.write('PostgreSQL is not installed, and could not be downloaded. It is not measured.\n')
      return
    }
    const database = await startPostgres(programs, { isDurable: true })
    runAtEnd(() => database.stop())
    const receiver = await startServer('receiver.js')
    const folder = makeFolder()
    /** @type {(schema: string, ...flags: string[]) => Promise<Server>} */
    const start = (schema, ...flags) =>
      startSandbox(folder, { db: `${database.url}?schema=${schema}`, args: flags })
    const sqlite = await startSandbox(folder)
    const bare = await openBareCommits(database.url)
    const bareRate = async () => {
      const times = []
      for (let count = 0; count < (partRun.isQuick ? 5 : 200); count++) times.push(await bare.commit())
      return 1_000 / median(times)
    }
    /** @type {import('./processes.js').Process[]} */
    const loads = []
    for (let index = 0; index < SCHEMAS; index++) loads.push(await startProcess('load.js'))
    let next = 1
    const payments = partRun.isQuick ? 16 : 200

    /** @type {(servers: readonly Server[], connections?: number) => Promise<number>} the calls per second of all servers together */
    async function callRate(servers, connections = CONNECTIONS) {
      const ms = partRun.isQuick ? 100 : 1_500
      const loaded = await Promise.all(
        servers.map(({ url: origin }, index) =>
          loads[index]?.ask({
            origin,
            operation: 'createSplitLink',
            from: (next += 1e6),
            connections,
            ms,
          }),
        ),
      )
      return loaded.reduce((sum, { rate }) => sum + rate, 0)
    }

    /** @type {(setup: string, servers: readonly Server[]) => Promise<void>} */
    async function measure(setup, servers) {
      await compare(
        partRun,
        { calls: `${setup}: calls` },
        async () => ({ calls: await callRate(servers) }),
        async () => ({ calls: await callRate([sqlite]) }),
      )
      await compare(
        partRun,
        { payments: `${setup}: payments`, posts: `${setup}: payments with their webhooks` },
        () => paymentRates(servers, receiver.url, payments),
        () => paymentRates([sqlite], receiver.url, payments),
      )
      for (const server of servers) await server.end()
    }

    const one = await start('one')
    for (const [connections, ratio] of Object.entries(CALL_TARGETS)) {
      const rate = async (/** @type {Server} */ server) => ({
        calls: await callRate([server], Number(connections)),
      })
      await compare(
        partRun,
        { calls: `one process, one schema: createSplitLink, ${connections} at once` },
        () => rate(one),
        () => rate(sqlite),
        { ratio },
        connections === '1' ? bareRate : undefined,
      )
    }
    await compareArrivals(partRun, one, sqlite, receiver, bare)
    for (const targets of [CONNECTIONS, 1]) {
      const webhooks = async (/** @type {Server} */ server) => ({
        rate: await webhookRate(server, receiver, targets, partRun.isQuick ? 5 : WEBHOOKS),
      })
      await compare(
        partRun,
        { rate: `one process, one schema: webhooks to ${targets} targets` },
        () => webhooks(one),
        () => webhooks(sqlite),
        { ratio: DELIVERY_RATIO },
      )
    }
    await measure('one process, one schema', [one])
    /** @type {Server[]} */
    const replicas = []
    for (let index = 0; index < REPLICAS; index++) replicas.push(await start('replicas', '--replicas'))
    await measure(`${REPLICAS} replicas, one schema`, replicas)
    /** @type {Server[]} */
    const teams = []
    for (let index = 0; index < SCHEMAS; index++) teams.push(await start(`team-${index}`))
    await measure(`${SCHEMAS} schemas, a process each`, teams)
    for (const process of [...loads, receiver, sqlite, bare]) await process.end()
  },
}

/**
 * @param {readonly Server[]} servers
 * @param {string} receiver where the webhooks go
 * @param {number} count
 * @returns {Promise<{ payments: number, posts: number }>} both per second, of all servers together
 */
async function paymentRates(servers, receiver, count) {
  const pools = servers.map(({ url }) => new Pool(url, { connections: CONNECTIONS }))
  const links = []
  for (let index = 0; index < count; index++) {
    const target = `${receiver}/${index % CONNECTIONS}`
    const at = index % servers.length
    const { id } = await callOnce(servers[at]?.url ?? '', 'createLink', {
      amount: 10,
      payment_endpoint: target,
    })
    links.push({ id, pool: pools[at] })
  }
  const began = performance.now()
  await Promise.all(
    links.map(async ({ id, pool }) => {
      const answer = await pool?.request({
        method: 'POST',
        path: `/_sandbox/v1/links/${id}/pay`,
        headers: { 'content-type': 'application/json' },
        body: '{"method":"card","wait":"accepted"}',
      })
      await answer?.body.dump()
      if (answer?.statusCode !== 200) throw new Error(`A payment was answered with ${answer?.statusCode}.`)
    }),
  )
  const paid = performance.now()
  await Promise.all(servers.map(({ url }) => settle(url)))
  const posted = performance.now()
  await Promise.all(pools.map((pool) => pool.close()))
  return { payments: (count / (paid - began)) * 1000, posts: (count / (posted - began)) * 1000 }
}

/**
 * Measures the time from a payment to the first byte of its webhook.
 *
 * @param {import('./report.js').PartRun} partRun
 * @param {Server} own
 * @param {Server} baseline
 * @param {Server} receiver
 * @param {Awaited<ReturnType<typeof openBareCommits>>} bare
 */
async function compareArrivals(partRun, own, baseline, receiver, bare) {
  /** @type {Map<Server, number[]>} */
  const times = new Map([own, baseline].map((server) => [server, []]))
  const commits = []
  for (const _ of limitedRounds(partRun.isQuick ? 3 : 100, MAX_MS)) {
    for (const [server, figures] of times) {
      const link = await callOnce(server.url, 'createLink', { amount: 10, payment_endpoint: receiver.url })
      await receiver.ask('arrivals')
      const began = process.hrtime.bigint()
      await postControl(server.url, `/links/${link.id}/pay`, { method: 'card', wait: 'accepted' })
      await settle(server.url)
      const [arrival] = /** @type {[string, string][]} */ (await receiver.ask('arrivals'))
      if (arrival === undefined) throw new Error('A payment sent no webhook')
      figures.push(Number(BigInt(arrival[1]) - began) / 1e6)
    }
    commits.push(await bare.commit())
  }
  const [measured, base] = [own, baseline].map((server) => median(times.get(server) ?? []))
  partRun.addRow({
    what: 'one process, one schema: from a payment to its webhook, p50',
    unit: 'ms',
    measured: measured ?? Number.NaN,
    baseline: base ?? Number.NaN,
    floor: median(commits),
    target: { value: PAYMENT_MS },
  })
}

/**
 * Webhooks per second, until each attempt is recorded.
 *
 * @param {Server} server
 * @param {Server} receiver
 * @param {number} targets
 * @param {number} each how many webhooks a target gets
 */
async function webhookRate(server, receiver, targets, each) {
  const endpoints = Array.from({ length: targets }, (_, number) => `${receiver.url}/${number}`)
  const link = { amount: 10, payment_endpoint: endpoints.join(',') }
  const ids = []
  for (let index = 0; index < each; index++) {
    const { id } = await callOnce(server.url, 'createLink', link)
    await postControl(server.url, `/links/${id}/pay`, { method: 'card', wait: 'accepted' })
    ids.push(id)
  }
  await settle(server.url)
  await receiver.ask('arrivals')
  await callOnce(server.url, 'sendWebhookViaPayId', { pay_ids: ids.join(','), status: 'Success' })
  await settle(server.url)
  const end = process.hrtime.bigint()
  /** @type {[path: string, at: string][]} */
  const arrivals = await receiver.ask('arrivals')
  const [first] = arrivals
  if (first === undefined) throw new Error('No webhook arrived')
  return arrivals.length / (Number(end - BigInt(first[1])) / 1e9)
}

/**
 * Measures servers and a baseline in turn, and adds a row for each figure.
 *
 * @template {Record<string, number>} Figures
 * @param {import('./report.js').PartRun} partRun
 * @param {Readonly<Record<keyof Figures & string, string>>} names
 * @param {() => Promise<Figures>} own
 * @param {() => Promise<Figures>} baseline
 * @param {import('./report.js').Row['target']} [target]
 * @param {() => Promise<number>} [floor] measures the same of the simplest possible server
 */
async function compare(partRun, names, own, baseline, target, floor) {
  /** @type {Record<string, number>[][]} */
  const pairs = []
  /** @type {number[]} */
  const floors = []
  await own()
  await baseline()
  for (const round of limitedRounds(partRun.isQuick ? 1 : 5, MAX_MS)) {
    const isOwnFirst = round % 2 === 0
    const first = await (isOwnFirst ? own : baseline)()
    const second = await (isOwnFirst ? baseline : own)()
    pairs.push(isOwnFirst ? [first, second] : [second, first])
    if (floor) floors.push(await floor())
  }
  for (const [key, what] of Object.entries(names)) {
    const [measured = [], baselines = []] = [0, 1].map((side) =>
      pairs.map((pair) => pair[side]?.[key] ?? Number.NaN),
    )
    partRun.addRow({
      what: String(what),
      unit: '/s',
      measured: median(measured),
      baseline: median(baselines),
      ratio: medianRatio(measured, baselines),
      ...(floor && { floor: median(floors) }),
      ...(target && { target }),
    })
  }
}
