import type { SplitType } from '../../server/domain/money/split.ts'

/** The selection that means a typed token instead of an account. */
export const CUSTOM_TOKEN = 'custom'

export interface RecipientDraft {
  /** The selected account: its id in the form, its token in `toApiCall`. For a typed token, `CUSTOM_TOKEN`. */
  readonly selected: string
  readonly customToken: string
  readonly share: string
}

/** The input of the form. */
export interface LinkDraft {
  readonly kind: 'split' | 'basic'
  readonly amount: string
  readonly note: string
  readonly splitType: SplitType
  readonly recipients: readonly RecipientDraft[]
  readonly callbackUrl: string
  readonly paymentEndpoint: string
  readonly cancellable: boolean
  readonly isQrLink: boolean
  readonly bankTransfer: boolean
  readonly statement: string
}

export const emptyDraft: LinkDraft = {
  kind: 'split',
  amount: '100',
  note: '',
  splitType: 'normal',
  recipients: [{ selected: '', customToken: '', share: '30' }],
  callbackUrl: '',
  paymentEndpoint: '',
  cancellable: true,
  isQrLink: false,
  bankTransfer: false,
  statement: '',
}

/** The call of the v2 API that creates the link. Empty fields are left out. */
export function toApiCall(draft: LinkDraft): { readonly operation: string; readonly body: object } {
  const { kind, amount, note, splitType, recipients, callbackUrl, paymentEndpoint } = draft
  const split = {
    recipients: recipients.map(({ selected, customToken, share }) => ({
      token: selected === CUSTOM_TOKEN ? customToken : selected,
      share: parseNumber(share),
    })),
    split_type: splitType,
  }
  const basic = {
    ...(draft.bankTransfer ? { bank_transfer: true } : {}),
    ...(draft.statement === '' ? {} : { bank_statement_description: draft.statement }),
  }
  return {
    operation: kind === 'split' ? 'createSplitLink' : 'createLink',
    body: {
      amount: parseNumber(amount),
      ...(kind === 'split' ? split : {}),
      ...(note === '' ? {} : { recipient_note: note }),
      ...(callbackUrl === '' ? {} : { callback_url: callbackUrl }),
      ...(paymentEndpoint === '' ? {} : { payment_endpoint: paymentEndpoint }),
      ...(draft.cancellable ? {} : { cancellable: false }),
      ...(draft.isQrLink ? { is_qr_link: true } : {}),
      ...(kind === 'basic' ? basic : {}),
    },
  }
}

/** Parses a number. Returns any other text unchanged, so that the API rejects it, and `undefined` for an empty text. */
export function parseNumber(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  // Accepts a decimal comma.
  const withPoint = trimmed.replace(/^(-?\d+),(\d+)$/, '$1.$2')
  return /^-?\d+(\.\d+)?$/.test(withPoint) ? Number(withPoint) : text
}
