/** What a sandbox shows of itself over TLS, and signs with. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** Where the certificate lies, for whoever is to trust it. */
  readonly file: string
  /** Made by the sandbox, so that nobody trusts it by itself. */
  readonly isSelfSigned: boolean
  /** Removes what was made for this run alone. */
  readonly dispose: () => Promise<void>
}
