import type { FieldNames } from '../api/list-objects.ts'
import type { ErrorDetails } from '../api/api-error.ts'
import type { BehaviorSettings } from '../behaviors/behavior.ts'
import type { TargetEntry } from '../links/targets.ts'

/** The fields of an operation: all of them, and by type. `recipients.*.share` stands for the share of every recipient. */
export interface FieldPaths {
  readonly names: FieldNames
  readonly texts: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
  readonly booleans: ReadonlySet<string>
}

/** A call, and what is known about the links and keys in it. */
export interface CallFacts {
  readonly method: string
  readonly operation: string
  readonly operations: readonly string[]
  readonly token: string
  readonly hasAuthorization: boolean
  /** A header other than `token` that contains an API key or seems to, by its name. */
  readonly keyHeader: string | undefined
  /** The kind of key in the header `token`. */
  readonly key: 'development' | 'production' | 'recipient-token' | 'unknown'
  readonly mediaType: string
  /** How the body is compressed, such as `Content-Encoding: gzip`. */
  readonly compression: string | undefined
  /** The fields of a JSON or form body. `undefined` for any other body. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly isForm: boolean
  /** Why a body could not be read as JSON, although its type is JSON. */
  readonly jsonError: ErrorDetails | undefined
  /** The options that decide whether a mistake is an error. */
  readonly settings: Pick<
    BehaviorSettings,
    'amountDecimals' | 'booleanAsText' | 'numericStrings' | 'requestBody' | 'textAsNumber'
  >
  readonly fields: FieldPaths | undefined
  /** Entries of `callback_url` and `payment_endpoint`. */
  readonly callbacks: readonly TargetEntry[]
  readonly targets: readonly TargetEntry[]
  /** The positions of recipients with an API key instead of a recipient token. */
  readonly keysAsRecipients: readonly number[]
  /** The link that the call created. `repeatedLinkId` is the id of a recent link with the same fields. */
  readonly created?: { readonly notifies: boolean; readonly repeatedLinkId: number | undefined }
  /** The links of the account whose ids are in `pay_id` or `pay_ids`. */
  readonly payments: readonly NamedPayment[]
}

interface NamedPayment {
  readonly payId: number
  /** True if this is a link's id, not a `pay_id`. */
  readonly isLinkId: boolean
  readonly equalsId: boolean
  readonly status: string | undefined
  /** In euros. */
  readonly amount: number | undefined
}
