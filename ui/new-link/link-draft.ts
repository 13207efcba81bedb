import type { SplitType } from '../../server/domain/money/split.ts'

/** Names a recipient that is not picked but pasted. */
export const CUSTOM_TOKEN = 'pasted'

export interface RecipientDraft {
  /** The token of an account, or `CUSTOM_TOKEN`. */
  readonly pick: string
  readonly pasted: string
  readonly share: string
}

/** What stands in the form, as it was typed. */
export interface Draft {
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

export const emptyDraft: Draft = {
  kind: 'split',
  amount: '100',
  note: '',
  splitType: 'normal',
  recipients: [{ pick: '', pasted: '', share: '30' }],
  callbackUrl: '',
  paymentEndpoint: '',
  cancellable: true,
  isQrLink: false,
  bankTransfer: false,
  statement: '',
}

/** The call of the v2 API that a draft stands for. What is left empty is left out. */
export function toApiCall(draft: Draft): { readonly operation: string; readonly body: object } {
  const { kind, amount, note, splitType, recipients, callbackUrl, paymentEndpoint } = draft
  const split = {
    recipients: recipients.map(({ pick, pasted, share }) => ({
      token: pick === CUSTOM_TOKEN ? pasted : pick,
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

/** A number as it is meant. What is none is sent as it is, so that the service can say so; nothing is left out. */
export function parseNumber(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  // The comma that many people write in an amount.
  const pointed = trimmed.replace(/^(-?\d+),(\d+)$/, '$1.$2')
  return /^-?\d+(\.\d+)?$/.test(pointed) ? Number(pointed) : text
}
