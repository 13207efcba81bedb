import { expect, test } from 'vitest'
import { resolveBehaviors } from '../../server/domain/behaviors/behavior.ts'
import { diagnoseCall } from '../../server/domain/diagnostics/diagnose-call.ts'

/** A call that is correct except for its body. */
const callWith = (body: Readonly<Record<string, unknown>>) =>
  diagnoseCall({
    method: 'POST',
    operation: 'createLink',
    operations: ['createLink'],
    token: 'key',
    hasAuthorization: false,
    keyHeader: undefined,
    key: 'development',
    mediaType: 'application/json',
    compression: undefined,
    body,
    isForm: false,
    jsonError: undefined,
    settings: resolveBehaviors(),
    fields: {
      names: new Map([
        ['', new Set(['amount', 'recipients'])],
        ['recipients.*.', new Set(['share'])],
      ]),
      texts: new Set(),
      numbers: new Set(['amount', 'recipients.*.share']),
      booleans: new Set(),
    },
    callbacks: [],
    targets: [],
    keysAsRecipients: [],
    payments: [],
  })

const manyKeys = (length: number) =>
  Object.fromEntries(Array.from({ length }, (_, index) => [`amount${index}`, 1]))

test('the first ten unknown keys of a body are reported, each with the most similar field', () => {
  const found = callWith({ amount: 1, ...manyKeys(90_000) })
  expect(found.map(({ code, seen }) => [code, seen])).toEqual(
    Array.from({ length: 10 }, (_, index) => ['unknownField', `amount${index}; the nearest is amount`]),
  )
})

test('unknown keys of the objects in a list are reported, including those that look like a path', () => {
  const body = { recipients: [{ share: 1 }, { shares: 1 }, [{ share: 1 }]], 'recipients.*.share': 1 }
  const found = callWith(body).filter(({ code }) => code === 'unknownField')
  expect(found.map(({ seen }) => seen)).toEqual([
    'recipients.*.share',
    'recipients[1].shares; the nearest is share',
  ])
})

test('only the first five thousand values of a body are examined', () => {
  let read = 0
  const counted = new Proxy(manyKeys(90_000), {
    get: (target, name) => {
      read++
      return Reflect.get(target, name)
    },
  })
  callWith({ nested: counted })
  expect(read).toBeLessThanOrEqual(5_000)
})

test('mistakes are reported from the first to the last, with their position in lists and objects', () => {
  const found = callWith({ recipients: [{ share: '1' }, { share: '2.5' }], amount: '3' })
  expect(found.filter(({ code }) => code === 'numberAsText').map(({ seen }) => seen)).toEqual([
    'recipients[0].share: "1"',
    'recipients[1].share: "2.5"',
    'amount: "3"',
  ])
})
