/** Whether a field of a call is an amount in euros. `recipients.*.share` is an amount only if the shares are absolute. */
export const isMoneyField = (path: string, splitType: unknown): boolean =>
  /(^|_)amount$/.test(path) || (path === 'recipients.*.share' && splitType === 'absolute')
