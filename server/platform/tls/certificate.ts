/** The certificate and the private key for https, both as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** The file with the certificate, for clients that have to trust it. */
  readonly file: string
  /** Whether the sandbox created it. No client trusts such a certificate by default. */
  readonly isSelfSigned: boolean
  /** Deletes the files if they were created only for this run. */
  readonly dispose: () => Promise<void>
}
