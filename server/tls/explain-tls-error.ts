const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** What to do where TLS stands in the way of an answer. `undefined` where something else does. */
export async function explainTlsError(url: string, error: unknown): Promise<string | undefined> {
  // `fetch` has why in the cause, a socket says it itself.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error) || !('code' in cause)) return undefined
  if (cause.code === 'ERR_SSL_WRONG_VERSION_NUMBER' || cause.code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return `What listens at ${url} speaks no TLS. Name ${url.replace('https:', 'http:')} instead.`
  }
  if (!UNTRUSTED.has(String(cause.code))) return undefined
  const shown = await shownBy(url)
  const whose = shown === undefined ? '' : ` It is for ${shown.names}, SHA-256 ${shown.fingerprint}.`
  // Node lists the names after its sentence, in a notation of its own.
  const why = cause.message.split(/\.(?:\s|$)| is not in the cert's list/)[0]
  const toDo =
    cause.code === 'ERR_TLS_CERT_ALTNAME_INVALID'
      ? 'Ask for it by one of those names, or start the sandbox with --host or --public-url for this one.'
      : "Where that is your sandbox's, start this with NODE_EXTRA_CA_CERTS=<file>, the file that its start names."
  return `The certificate of ${url} is not trusted: ${why}.${whose} ${toDo}`
}

/** The certificate that is not trusted, to compare it with that of the sandbox. */
async function shownBy(url: string): Promise<{ names: string; fingerprint: string } | undefined> {
  const { connect } = await import('node:tls')
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, timeout: 2_000 })
    socket.once('secureConnect', () => {
      const { subjectaltname: names = 'no name', fingerprint256: fingerprint } = socket.getPeerCertificate()
      socket.destroy()
      resolve({ names, fingerprint })
    })
    for (const end of ['error', 'timeout'] as const) {
      socket.once(end, () => {
        socket.destroy()
        resolve(undefined)
      })
    }
  })
}
