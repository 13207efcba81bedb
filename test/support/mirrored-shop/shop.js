import { startShop as start } from '../../../fixtures/shop/shop.js'

/**
 * The example shop, with its calls sent to `CALLS_URL`. Its suite pays and refunds at `PAYLINK_URL`.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export const startShop = (env) => start({ ...env, PAYLINK_URL: env.CALLS_URL })
