import { courier, shop as owner } from './sandbox.ts'

interface StartedShop {
  readonly url: string
  close(): Promise<void>
}

/** Starts a shop of `fixtures/` with the first account: the correct one, `shop`, or one of `shops/`. */
export async function startShop(name: string, paylinkUrl: string, settings: NodeJS.ProcessEnv = {}) {
  const folder = name === 'shop' ? name : `shops/${name}`
  const module = new URL(`../../fixtures/${folder}/shop.js`, import.meta.url)
  const { startShop: start } = (await import(module.href)) as {
    startShop(env: NodeJS.ProcessEnv): Promise<StartedShop>
  }
  const shop = await start({
    PAYLINK_URL: paylinkUrl,
    PAYLINK_API_KEY: owner.apiKey,
    PAYLINK_RECIPIENT_TOKEN: courier.recipientToken,
    SHOP_DB: ':memory:',
    SHOP_PORT: '0',
    ...settings,
  })
  return { url: shop.url, [Symbol.asyncDispose]: () => shop.close() }
}
