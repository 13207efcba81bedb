import seed from '../../fixtures/seed.json' with { type: 'json' }

export const { accounts } = seed

/** The id of the first paid link, and the number of paid links. Each can be refunded once. */
export const FIRST_PAID = 1011
export const PAID = 50

/** The built-in accounts with unpaid links, and with paid links to refund and resend. */
export const fuzzSeed = {
  accounts,
  invoices: seed.invoices,
  links: Array.from({ length: FIRST_PAID + PAID - 1001 }, (_, index) => ({
    id: 1001 + index,
    account: accounts[0]!.id,
    amount: 100,
    status: 1001 + index < FIRST_PAID ? 'unused' : 'paid',
  })),
}
