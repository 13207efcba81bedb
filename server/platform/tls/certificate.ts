/** The certificate and the private key for https, both as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** The certificate's file, for clients that have to trust it. */
  readonly file: string
  /** Whether the sandbox created it. No client trusts such a certificate by default. */
  readonly isSelfSigned: boolean
  /** Deletes the files if they were created for this run only. */
  readonly dispose: () => Promise<void>
}
