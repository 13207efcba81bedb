/** The certificate and private key that a sandbox serves https with, both as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** The certificate's file, for clients that have to trust it. */
  readonly file: string
  /** Whether the sandbox made it, so that no client trusts it by default. */
  readonly isSelfSigned: boolean
  /** Deletes the files if they were made for this run only. */
  readonly dispose: () => Promise<void>
}
