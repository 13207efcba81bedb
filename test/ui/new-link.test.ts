import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toApiCall, emptyDraft, CUSTOM_TOKEN, type LinkDraft } from '../../ui/new-link/link-draft.ts'
import { fieldOfError, type ErrorField } from '../../ui/new-link/field-of-error.ts'
import { calculatePayout } from '../../ui/new-link/calculate-payout.ts'

const draft = (changes: Partial<LinkDraft> = {}): LinkDraft => ({
  ...emptyDraft,
  recipients: [{ selected: 'rcpOne', customToken: '', share: '30' }],
  ...changes,
})
const shares = (...texts: string[]) => texts.map((share) => ({ selected: 'rcpOne', customToken: '', share }))

test.each<[what: string, changes: Partial<LinkDraft>, operation: string, body: object]>([
  [
    'a split link, without empty fields',
    {},
    'createSplitLink',
    { amount: 100, recipients: [{ token: 'rcpOne', share: 30 }], split_type: 'normal' },
  ],
  [
    'a custom token, euros and every field',
    {
      splitType: 'absolute',
      recipients: [{ selected: CUSTOM_TOKEN, customToken: 'rcpTwo', share: '0.5' }],
      note: 'Order 7',
      callbackUrl: '0',
      paymentEndpoint: '1,0',
      cancellable: false,
      isQrLink: true,
      bankTransfer: true,
      statement: 'not for split links',
    },
    'createSplitLink',
    {
      amount: 100,
      recipients: [{ token: 'rcpTwo', share: 0.5 }],
      split_type: 'absolute',
      recipient_note: 'Order 7',
      callback_url: '0',
      payment_endpoint: '1,0',
      cancellable: false,
      is_qr_link: true,
    },
  ],
  [
    'a basic link',
    { kind: 'basic', bankTransfer: true, statement: 'FLOWERS' },
    'createLink',
    { amount: 100, bank_transfer: true, bank_statement_description: 'FLOWERS' },
  ],
  [
    'text instead of a number, which the service rejects',
    { kind: 'basic', amount: '1.234,50' },
    'createLink',
    { amount: '1.234,50' },
  ],
  ['a decimal comma', { kind: 'basic', amount: '12,50' }, 'createLink', { amount: 12.5 }],
  ['no amount', { kind: 'basic', amount: ' ' }, 'createLink', { amount: undefined }],
])('the form creates %s', (_what, changes, operation, body) => {
  expect(toApiCall(draft(changes))).toEqual({ operation, body })
})

test.each<[typed: Partial<LinkDraft>, preview: ReturnType<typeof calculatePayout>]>([
  [{}, { recipients: [30], owner: 70, amount: 100 }],
  [
    { kind: 'basic', amount: '9.99' },
    { recipients: [], owner: 9.99, amount: 9.99 },
  ],
  [
    { amount: '0.01', recipients: shares('50', '50') },
    { recipients: [0, 0], owner: 0.01, amount: 0.01 },
  ],
  [
    { splitType: 'absolute', recipients: shares('99.99') },
    { recipients: [99.99], owner: 0.01, amount: 100 },
  ],
  [{ recipients: shares('60', '60') }, { error: 'Share should be less than 100' }],
  [
    { splitType: 'absolute', recipients: shares('101') },
    { error: 'Share should be less than or equal to 100' },
  ],
  [{ recipients: shares('30', '0') }, { error: 'Share should be greater than zero at index 1' }],
  [{ amount: '0' }, { error: 'amount should be greater than zero' }],
  [{ amount: '1.001' }, { error: 'amount should have at most two decimals' }],
  [{ amount: '1000000000' }, { error: 'amount should be at most 999999999.99' }],
  [{ amount: '' }, undefined],
  [{ amount: 'ten' }, undefined],
  [{ recipients: shares('') }, undefined],
])('the payout of %j is previewed with exact cents', (typed, preview) => {
  expect(calculatePayout(draft(typed))).toEqual(preview)
})

test('the preview never fails, and its parts add up to the amount', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.double({ noNaN: true }).map(String),
    fc.nat().map(String),
  )
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), fc.boolean(), (amount, parts, isNormal) => {
      const splitType = isNormal ? 'normal' : 'absolute'
      const preview = calculatePayout(draft({ amount, splitType, recipients: shares(...parts) }))
      if (!preview || 'error' in preview) return
      const cents = [...preview.recipients, preview.owner].map((euros) => Math.round(euros * 100))
      expect(cents.reduce((sum, part) => sum + part, 0)).toBe(Math.round(preview.amount * 100))
    }),
  )
})

test.each<[path: string, field: ErrorField | undefined]>([
  ['amount', { field: 'amount' }],
  ['recipients[1].token', { field: 'recipients', part: 'token', index: 1 }],
  ['recipients[2].share', { field: 'recipients', part: 'share', index: 2 }],
  ['recipients', { field: 'recipients' }],
  ['payment_endpoint', { field: 'paymentEndpoint' }],
  ['callback_url', { field: 'callbackUrl' }],
  ['token', { field: 'account' }],
  ['split_type', undefined],
])('an error about %s is shown beside its field', (path, field) => {
  expect(fieldOfError(path)).toEqual(field)
})
