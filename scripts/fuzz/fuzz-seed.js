import seed from '../../fixtures/seed.json' with { type: 'json' }

/** The first of the links that are paid already, and how many there are: each can be refunded once. */
export const FIRST_PAID = 1011
export const PAID = 200

const [{ id: account }] = /** @type {[{ id: string }]} */ (/** @type {unknown} */ (seed.accounts))

/** The built-in accounts, with links that nobody has paid and links that are to be refunded and resent. */
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
