import { expect } from 'vitest'
import { createSecretFinder } from '../../../server/domain/secrets/secret-finder.ts'
import { createShownTexts } from '../../../server/verify/app/orders/shown-texts.ts'
import { test } from '../../support/test.ts'

test('equal answers are kept once, whatever their date', () => {
  const shown = createShownTexts()
  for (const second of [10, 11, 12]) {
    shown.add('the answer to a webhook', 'ok')
    shown.addHeaders(
      'the answer to a webhook',
      `Content-Type: text/plain\nDate: Thu, 26 Nov 2026 10:00:${second} GMT\nServer: shop`,
    )
  }

  expect(shown.all()).toEqual(['ok', 'Content-Type: text/plain\nServer: shop'])
})

test('the key is found where the app has shown it first', () => {
  const key = createSecretFinder(['sk_0123456789abcdef'])
  const shown = createShownTexts()
  shown.add('the first page', 'nothing')
  expect(shown.showsKey(key)).toBeUndefined()

  shown.addHeaders('the answer to a webhook', 'content-type: text/plain\nx-debug: sk_0123456789abcdef')
  shown.add('the last page', 'sk_0123456789abcdef')
  expect(shown.showsKey(key)).toBe('the header x-debug of the answer to a webhook contains the API key')
})
