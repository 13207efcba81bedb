import { expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import { LinkData } from '../../server/api/present-link.ts'
import { startSandbox, type CreatedLink } from '../../server/index.ts'

test('a created link has the documented fields and no others, so that a typo does not compile', async () => {
  expectTypeOf<CreatedLink>().toEqualTypeOf<Readonly<z.output<typeof LinkData>>>()
  // @ts-expect-error a shown link has it, the answer of the API has not
  expectTypeOf<CreatedLink['payId']>()
  await using sandbox = await startSandbox()
  const shop = await sandbox.createAccount()

  expect(Object.keys(await shop.createLink({ amount: 1 }))).toEqual(Object.keys(LinkData.shape))
})
