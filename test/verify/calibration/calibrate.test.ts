import { expect } from 'vitest'
import {
  runCalibration,
  differingBehaviors,
  pointsOf,
  type Calibration,
  type LocalSandbox,
} from '../../../server/verify/calibration/calibrate.ts'
import {
  paidOnly,
  probes,
  unprobed,
  type CalibrationProbe,
} from '../../../server/verify/calibration/probes.ts'
import type { ServiceResult } from '../../../server/verify/calibration/run-probe.ts'
import { createHttpService } from '../../../server/verify/calibration/http-service.ts'
import { startMemorySandbox } from '../../../server/cli/calibrate/memory-sandbox.ts'
import { optionNames, type BehaviorChoices } from '../../../server/domain/behaviors/behavior.ts'
import {
  openPoints,
  type AssumptionName,
  type BehaviorName,
} from '../../../server/domain/behaviors/open-points.ts'
import { isControlCall } from '../../support/control-call.ts'
import { startChangingProxy, type ChangeableAnswer } from '../../support/changing-proxy.ts'
import { pairwise } from '../../support/pairwise.ts'
import { courier, shop, type OpenSandbox } from '../../support/sandbox.ts'
import { sized } from '../../support/size.ts'
import { test as base } from '../../support/test.ts'

/** One for all tests, because most of them send the same requests with the same behaviors. */
const test = base.extend('memory', { scope: 'file' }, async ({}, { onCleanup }) => {
  const silent = { write: () => undefined }
  const memory = await startMemorySandbox({ stdout: silent, stderr: silent, env: {} })
  onCleanup(() => memory[Symbol.asyncDispose]())
  return withCache(memory)
})

/** Sends each request to the sandbox only once for each set of behaviors. */
function withCache(sandbox: LocalSandbox): LocalSandbox {
  const results = new Map<string, ServiceResult>()
  let wanted: BehaviorChoices = {}
  let active: BehaviorChoices | undefined
  return {
    ...sandbox,
    async setBehaviors(behaviors) {
      wanted = behaviors
    },
    async send(request) {
      const key = JSON.stringify([Object.entries(wanted).toSorted(), request])
      const known = results.get(key)
      if (known) return known
      if (active !== wanted) await sandbox.setBehaviors((active = wanted))
      const result = await sandbox.send(request)
      results.set(key, result)
      return result
    },
  }
}

/** The probes that need no payment. */
const byCalls = probes.filter(({ needs }) => needs !== 'payment')
const decidable = byCalls.flatMap(({ behaviors = [] }) => behaviors)

/**
 * Options of the behaviors that calls decide, and of some that they do not. Every pair of two behaviors' options is in one
 * of these combinations.
 */
const combinations = pairwise(
  (Object.keys(openPoints) as BehaviorName[])
    .filter((name) => decidable.includes(name) || ['webhookEncoding', 'amountText', 'order'].includes(name))
    .map((name) => ({ name, values: optionNames(name) })),
) as BehaviorChoices[]

const run = (
  origin: string,
  sandbox: LocalSandbox,
  current: BehaviorChoices = {},
  chosen: readonly CalibrationProbe[] = probes,
) =>
  runCalibration({
    service: createHttpService({
      origin,
      apiKey: shop.apiKey,
      recipient: courier.recipientToken,
      timeoutMs: 30_000,
    }),
    sandbox,
    probes: chosen,
    current,
    today: '2026-07-01',
  })

const setBehaviors = (sandbox: OpenSandbox, behaviors: BehaviorChoices) =>
  sandbox.control('PATCH', '/behaviors', behaviors)

/** The behaviors that a run found. */
const foundIn = ({ points }: Calibration): BehaviorChoices =>
  Object.fromEntries(
    decidable.flatMap((name) => {
      const point = points[name]
      return point?.verdict === 'confirmed' ? [[name, point.value!]] : []
    }),
  )

const of = <Value>(values: Readonly<Partial<Record<BehaviorName, Value>>>, names: readonly BehaviorName[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

test('every open point has a probe, or a reason why calls do not decide it', () => {
  const probed = probes.flatMap(pointsOf)
  const explained = Object.keys(unprobed) as AssumptionName[]
  expect([...new Set([...probed, ...explained])].toSorted()).toEqual(Object.keys(openPoints).toSorted())
  expect(explained.filter((name) => probed.includes(name))).toEqual([])
  expect(new Set(decidable).size).toBe(decidable.length)
  // If only a payment decides a point, a run without payments must give a reason.
  const called = new Set(byCalls.flatMap(pointsOf))
  expect(Object.keys(paidOnly).toSorted()).toEqual(
    [...new Set(probed)].filter((name) => !called.has(name)).toSorted(),
  )
})

const tried = sized({ full: combinations, small: combinations.slice(0, 3) })

test.for([...tried.entries()])(
  'calibrate finds the behaviors of another sandbox, and then agrees with it (combination %i)',
  async ([_number, behaviors], { sandbox, memory }) => {
    await setBehaviors(sandbox, behaviors)
    const found = await run(sandbox.url, memory)

    expect(foundIn(found)).toEqual(of(behaviors, decidable))
    expect(found.differences.map(({ text }) => text)).toEqual([])
    expect(found.failures).toEqual([])
    for (const name of Object.keys({ ...unprobed, ...paidOnly }))
      expect(found.points).toMatchObject({ [name]: { verdict: 'undecided' } })

    const again = await run(sandbox.url, memory, foundIn(found))
    expect([differingBehaviors(again.points, foundIn(found)), again.differences]).toEqual([[], []])
  },
)

/** Changes of a service that no option explains, and how calibrate names them. */
const CHANGES: readonly (readonly [
  what: string,
  change: (answer: ChangeableAnswer) => void,
  named: readonly (readonly [place: string, kind: string])[],
  point?: string,
])[] = [
  [
    'a renamed field',
    ({ envelope: { data } }) => {
      if (data && 'qr_img' in data) {
        data.qr_url = data.qr_img
        delete data.qr_img
      }
    },
    [
      ['data.qr_img', 'missing-field'],
      ['data.qr_url', 'extra-field'],
    ],
  ],
  [
    'a dropped field',
    ({ envelope }) => delete envelope.data?.created_at,
    [['data.created_at', 'missing-field']],
  ],
  ['an added field', ({ envelope }) => (envelope.trace = { id: 1 }), [['trace', 'extra-field']]],
  [
    'another type',
    ({ envelope: { data } }) => {
      if (data && 'amount' in data) data.amount = String(data.amount)
    },
    [['data.amount', 'type']],
  ],
  [
    'another value',
    ({ envelope: { data } }) => {
      if (data?.status === 'Unused') data.status = 'unused'
    },
    [['data.status', 'value']],
  ],
  [
    'another text of success',
    ({ envelope }) => {
      if (envelope.ResponseMsg === 'Link has been created successfully') envelope.ResponseMsg = 'Created'
    },
    [['ResponseMsg', 'text']],
    'createLink',
  ],
  [
    'another text of an error',
    ({ envelope }) => {
      if (/token/i.test(String(envelope.ResponseMsg))) envelope.ResponseMsg = 'Unauthorized'
    },
    [['ResponseMsg', 'text']],
  ],
  [
    'texts of its own',
    ({ envelope }) => {
      const text = String(envelope.ResponseMsg)
      if (/should|valid|paid|Unknown|Use POST/.test(text) && text !== 'Invalid link ID')
        envelope.ResponseMsg = `Bad: ${text}`
    },
    [['ResponseMsg', 'text']],
    'ownWording',
  ],
  [
    'another status of success',
    (answer) => {
      if (answer.envelope.ResponseCode === 1) answer.status = 201
    },
    [['status', 'status']],
  ],
  [
    'another status of errors',
    (answer) => {
      if (answer.envelope.ResponseCode === 0) answer.status = 400
    },
    [['status', 'status']],
  ],
  [
    'one status for most errors',
    (answer) => {
      if (answer.envelope.ResponseCode === 0) answer.status = 422
      if (answer.token === undefined) answer.status = 403
    },
    [['status', 'status']],
  ],
  [
    'another order of checks',
    ({ operation, request, envelope }) => {
      if (
        operation === 'createSplitLink' &&
        request.recipients === undefined &&
        envelope.ResponseMsg === 'Please enter amount'
      )
        envelope.ResponseMsg = 'Please enter recipients'
    },
    [['ResponseMsg', 'text']],
    'checkOrder',
  ],
  [
    'a header',
    ({ headers }) => (headers['www-authenticate'] = 'token'),
    [['header www-authenticate', 'header']],
  ],
]

/** The changes are combined with the combinations in turn: two for each combination, or one at small size. */
const turns = CHANGES.map((change, index) => {
  const numbers = sized({ full: [index, index + 4], small: [index] })
  return [change[0], change, numbers.map((number) => combinations[number % combinations.length]!)] as const
})

test.for(turns)(
  'calibrate names %s, and blames no behavior for it',
  async ([, [, change, named, point], own], { sandbox, memory }) => {
    await using proxy = await startChangingProxy(sandbox.url, change)
    for (const behaviors of own) {
      await setBehaviors(sandbox, behaviors)
      const found = await run(proxy.url, memory, behaviors)

      const confirmed = foundIn(found)
      expect(confirmed).toEqual(of(behaviors, Object.keys(confirmed) as BehaviorName[]))
      const seen = found.differences.map(({ place, kind }) => `${place} ${kind}`)
      expect([...new Set(seen)].toSorted()).toEqual(named.map((one) => one.join(' ')).toSorted())
      if (point !== undefined) expect(found.points).toMatchObject({ [point]: { verdict: 'differs' } })
    }
  },
)

test('a status that no option explains decides nothing for other requests', async ({ sandbox, memory }) => {
  // The sandbox also answers one of these errors with HTTP 422 if errorStatus is http.
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    if (answer.envelope.ResponseCode === 0) answer.status = 422
  })
  const found = await run(proxy.url, memory, {}, probes.slice(0, 2))

  const reason = 'Some answers match no option.'
  expect(found.points).toMatchObject({ errorStatus: { verdict: 'undecided', reason } })
})

test('if half of the answers are late, the result is the same', async ({ sandbox, memory }) => {
  await sandbox.control('POST', '/faults', { on: 'api', script: 'latency:5ms,pass', times: 'always' })
  const found = await run(sandbox.url, memory)

  expect(Object.keys(foundIn(found))).toHaveLength(decidable.length)
  expect([found.differences, found.failures]).toEqual([[], []])
})

test('calibrate counts a page instead of an envelope as a missing answer, not as a difference', async ({
  sandbox,
  memory,
}) => {
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    if (answer.operation !== 'getTaxInvoiceList') return
    answer.text = '<h1>Not found</h1>'
    answer.headers = { 'content-type': 'text/html' }
    answer.status = 404
  })
  const found = await run(proxy.url, memory)

  expect(found.differences).toEqual([])
  const instead = "answered with HTTP 404 and text/html instead of the service's envelope"
  expect(found.failures.map(({ step, failure }) => [step.name, failure])).toEqual([
    ['search', instead],
    ['getTaxInvoiceList', instead],
    ['getTaxInvoiceList', instead],
    ['page', instead],
    ['empty', instead],
    ['all', instead],
    ['page', instead],
    ['past-the-end', instead],
  ])
  expect(found.points).toMatchObject({
    missingToken: { verdict: 'confirmed', value: 'special' },
    emptyBody: {
      verdict: 'undecided',
      reason: `getTaxInvoiceList with an empty body: ${instead}.`,
    },
    checkOrder: { verdict: 'confirmed' },
  })
})

test('a service that accepts everything decides no behavior', async ({ sandbox, memory }) => {
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    answer.status = 200
    answer.envelope = { ResponseCode: 1, ResponseMsg: 'OK', Result: 'True', ServerTime: 'CEST' }
  })
  const found = await run(proxy.url, memory)

  const stopped = 'the service accepts a plain link, but its answer names no link'
  expect([found.stopped, foundIn(found)]).toEqual([stopped, {}])
})

test('in an outage, only answers before the last successful control call count', async ({
  sandbox,
  memory,
}) => {
  let calls = 0
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    calls += 1
    // A control call, three requests, a control call, three requests and another control call succeed.
    if (calls <= 11) return
    answer.status = 500
    answer.envelope = { ResponseCode: 0, ResponseMsg: 'Internal error' }
  })
  const found = await run(proxy.url, memory)

  const stopped = "the control call failed: answered with HTTP 500 instead of the service's envelope"
  expect([found.stopped, calls]).toEqual([stopped, 12])
  expect(foundIn(found)).toEqual({ errorStatus: 'ok' })
  expect(found.evaluated.map(({ probe }) => probe.name)).toEqual([
    ...Array.from({ length: 3 }, () => 'basic-link'),
    ...Array.from({ length: 3 }, () => 'error-status'),
  ])
  expect([found.differences, found.failures]).toEqual([[], []])
  expect(found.points).toMatchObject({
    createLink: { verdict: 'confirmed' },
    numericStrings: { verdict: 'undecided', reason: `T${stopped.slice(1)}.` },
    missingToken: { verdict: 'undecided', reason: `T${stopped.slice(1)}.` },
  })
})

test('truncated answers are listed, and decide nothing', async ({ sandbox, memory }) => {
  await setBehaviors(sandbox, { errorStatus: 'http', indexOutOfRange: 'ignore' })
  let count = 0
  await using proxy = await startChangingProxy(sandbox.url, (answer) => {
    if (isControlCall(answer)) return
    count += 1
    answer.isCut = count % 3 === 0
  })
  const found = await run(proxy.url, memory)

  expect(found.failures.length).toBeGreaterThan(10)
  const reasons = new Set(found.failures.map(({ failure }) => failure))
  expect([...reasons].every((reason) => /cut off/.test(reason ?? ''))).toBe(true)
  expect(foundIn(found)).toMatchObject({ errorStatus: 'http' })
  expect(found.differences).toEqual([])
})

test('calibrate decides nothing if the service accepts no plain link', async ({ sandbox, memory }) => {
  await using proxy = await startChangingProxy(sandbox.url, ({ operation, envelope }) => {
    if (operation !== 'createLink' || envelope.ResponseCode === 0) return
    Object.assign(envelope, { ResponseCode: 0, ResponseMsg: 'Host is not allowed', Result: 'False' })
    delete envelope.data
  })
  const found = await run(proxy.url, memory)

  const reason = 'The service refuses a plain link: "Host is not allowed".'
  for (const name of new Set(byCalls.flatMap(pointsOf)))
    expect(found.points).toMatchObject({ [name]: { verdict: 'undecided', reason } })
  expect([proxy.calls.length, found.evaluated, found.differences]).toEqual([1, [], []])
})
