const ENVELOPE = new Set(['ResponseCode', 'ResponseMsg', 'Result', 'ServerTime'])

/** The operations whose `data` the reference shows. */
const SHOWN_DATA = new Set(['createSplitLink', 'getTaxInvoiceList'])

/**
 * Whether the reference shows what an operation answers at a place. If it does, a service that answers otherwise contradicts the
 * reference. The reference shows no HTTP status, no header, and no answer of createLink and sendWebhookViaPayId.
 */
export const isShownByReference = (operation: string, place: string): boolean =>
  ENVELOPE.has(place) ||
  place === 'content-type' ||
  place === 'body' ||
  operation === 'redirect' ||
  operation === 'webhook' ||
  (SHOWN_DATA.has(operation) && /^(data|totalRecords)\b/.test(place))
