import seed from '../../fixtures/seed.json' with { type: 'json' }

/** The id of the first paid link, and the number of paid links. Each can be refunded once. */
export const FIRST_PAID = 1011
export const PAID = 200

const [{ id: account }] = /** @type {[{ id: string }]} */ (/** @type {unknown} */ (seed.accounts))

/** The built-in accounts with unpaid links, and with paid links to refund and resend. */
export const fuzzSeed = {
  accounts: seed.accounts,
  invoices: seed.invoices,
  links: [
    ...Array.from({ length: 10 }, (_, index) => ({ id: 1001 + index, account, amount: 100 })),
    ...Array.from({ length: PAID }, (_, index) => ({
      id: FIRST_PAID + index,
      account,
      amount: 100,
      status: 'paid',
    })),
  ],
}
