import { expect } from 'vitest'
import { market, openSandbox, shop, type OpenSandbox } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

interface ShownBehavior {
  readonly name: string
  readonly value: string
  readonly source: string
  readonly otherwise: string
  readonly options: readonly string[]
  readonly pattern: string | null
}

async function behavior(sandbox: OpenSandbox, name: string, query = ''): Promise<ShownBehavior> {
  const { answer } = await sandbox.rawControl<{ behaviors: ShownBehavior[] }>('GET', `/behaviors${query}`)
  return answer.behaviors.find((one) => one.name === name)!
}

test('a behavior says where its value comes from, and which value it would have otherwise', async () => {
  await using sandbox = await openSandbox({ behaviors: { errorStatus: 'http' } })
  const ofShop = `?account=${shop.id}`
  const choose = (query: string, value: string | null) =>
    sandbox.rawControl('PATCH', `/behaviors${query}`, { errorStatus: value })
  const seen = async () => [
    await behavior(sandbox, 'errorStatus'),
    await behavior(sandbox, 'errorStatus', ofShop),
  ]

  expect(await seen()).toMatchObject([
    { value: 'http', source: 'start', otherwise: 'http' },
    { value: 'http', source: 'start', otherwise: 'http' },
  ])
  await choose('', 'ok')
  await choose(ofShop, 'http')
  expect(await seen()).toMatchObject([
    { value: 'ok', source: 'sandbox', otherwise: 'http' },
    { value: 'http', source: 'account', otherwise: 'ok' },
  ])
  await choose(ofShop, null)
  expect(await seen()).toMatchObject([{ source: 'sandbox' }, { value: 'ok', source: 'sandbox' }])
  expect(await behavior(sandbox, 'payId')).toMatchObject({ value: 'same', source: 'default' })
})

test('a behavior of one account is not shown for another account', async ({ sandbox }) => {
  await sandbox.control('PATCH', `/behaviors?account=${shop.id}`, { amountText: 'two-decimals' })
  expect(await behavior(sandbox, 'amountText', `?account=${market.id}`)).toMatchObject({
    value: 'shortest',
    source: 'default',
  })
})

test('behaviors with a value pattern differ from behaviors with fixed options', async ({ sandbox }) => {
  expect(await behavior(sandbox, 'rateLimit')).toMatchObject({
    options: ['none', '<n>/min'],
    pattern: '<n>/min',
  })
  expect(await behavior(sandbox, 'payId')).toMatchObject({ options: ['same', 'distinct'], pattern: null })
})
