import type { CallerContext, Failure } from './caller-case.ts'
import { createOrder, openReturnPage, placeOrder } from './place-order.ts'

/** Pages of failures show settings more often than others. */
const FAILURES: readonly (readonly string[])[] = [[], ['refuse:Closed'], ['503'], ['html:before'], ['reset']]

/** Looks for the API key in everything that the app has shown, and in the addresses that it gave the service. */
export async function findShownKey(context: CallerContext): Promise<Failure | undefined> {
  for (const faults of FAILURES) {
    const { links, cookies } = await placeOrder(context, createOrder(), { faults })
    for (const link of links) {
      context.shown.push(
        { where: 'the callback_url of a link', text: link.callbackUrl },
        { where: 'the payment_endpoint of a link', text: link.paymentEndpoint },
        { where: 'the note of a link', text: link.note },
      )
      if (faults.length === 0) await openReturnPage(context, link, { cookies })
    }
  }
  const found = context.shown.find(({ text }) => containsKey(text, context.apiKey))
  return found && { problem: 'leaked-key', seen: `${found.where} contains the API key` }
}

/** Also finds the key within a text that is encoded as base64, such as `token:<key>`. */
const containsKey = (text: string, key: string): boolean =>
  [key, ...base64PartsOf(key)].some((part) => text.includes(part))

/**
 * The forms that a key can have inside base64. They depend on the number of bytes before the key. The first and the last
 * characters are left out, because they also depend on the neighboring bytes.
 */
function base64PartsOf(key: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = btoa(' '.repeat(before) + key).replace(/=+$/, '')
    const endsWithinCharacter = (before + key.length) % 3 !== 0
    const part = encoded.slice(Math.ceil((before * 8) / 6), endsWithinCharacter ? -1 : undefined)
    return [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
