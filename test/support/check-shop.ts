import { type Change, startShop } from '../../fixtures/laboratory/shop.ts'
import { connectSandbox } from '../../server/client/connect-sandbox.ts'
import type { CheckReport } from '../../server/contract/checks/check.ts'
import type { CheckRunOptions } from '../../server/verify/app/run/check-run-options.ts'

type Shop = Awaited<ReturnType<typeof startShop>>

/** Checks the receiver of a laboratory shop with an account of its own. `options` may need the addresses of the shop. */
export async function checkShop(
  url: string,
  change: Change,
  options: CheckRunOptions | ((shop: Shop) => CheckRunOptions) = {},
): Promise<CheckReport> {
  const handle = await connectSandbox(url)
  const { apiKey } = await handle.createAccount()
  await using shop = await startShop({ url, apiKey }, change)
  return await handle.check(shop.receiver, {
    orderUrl: shop.orderUrl,
    orderBody: '{"order":"{order}","amount":{amount},"note":"{note}"}',
    stateUrl: shop.stateUrl,
    ...(typeof options === 'function' ? options(shop) : options),
  })
}
