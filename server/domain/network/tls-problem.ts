/** What can be wrong with a TLS connection to a server, and what to do about it. */
export const tlsRemedies = {
  certificateSelfSigned: 'Set NODE_EXTRA_CA_CERTS to the file of this certificate, and restart.',
  certificateUntrusted:
    'Set NODE_EXTRA_CA_CERTS to the certificate of its authority, and restart. With mkcert, this is rootCA.pem in the folder that `mkcert -CAROOT` prints. If the server leaves out an intermediate certificate, let it send the whole chain.',
  certificateExpired: 'Issue a new certificate, and restart the server.',
  certificateNotYetValid: 'Compare the clock of this machine with the dates of the certificate.',
  certificateForOtherName: 'Use a name that the certificate covers, or issue one for this name.',
  certificateInvalid: 'Issue a new certificate, and restart the server.',
  clientCertificateRequired: 'Configure the server to accept this address without a client certificate.',
  tlsMissing: 'Use http:// instead of https://, or configure the server to serve TLS at this port.',
  tlsRequired: 'Use https:// instead of http://, or the port where the server accepts plain HTTP.',
  tlsVersion: 'Configure the server to accept TLS 1.2 or 1.3.',
  tlsHandshake:
    'Read the log of the server. It may require a client certificate, allow only ciphers that Node lacks, or lack a certificate for this name.',
  http2Only: 'Configure the server to also accept HTTP/1.1. In Node, set allowHTTP1.',
} as const

type TlsProblemCode = keyof typeof tlsRemedies

export const tlsProblemCodes = Object.keys(tlsRemedies) as readonly TlsProblemCode[]

interface TlsProblem {
  readonly code: TlsProblemCode
  /** The problem, as a part of a sentence, such as `its certificate is self-signed`. */
  readonly what: string
}

/** An error of a TLS socket, or of an HTTP client with such a socket. */
interface NetworkError extends Error {
  readonly code?: unknown
  /** The certificate of the server, if it is for a different name. */
  readonly cert?: { readonly subjectaltname?: string }
  /** The bytes that an HTTP parser could not read. */
  readonly rawPacket?: Uint8Array
}

/**
 * What is wrong with TLS or the protocol, if that is why a connection to `url` failed. `isConnected` means that the handshake had
 * ended, or that TLS is not used.
 */
export function tlsProblemOf(error: unknown, url: URL, isConnected: boolean): TlsProblem | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, message, cert, rawPacket }: NetworkError = error
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return problem('certificateSelfSigned', 'its certificate is self-signed, so it is not trusted')
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_UNTRUSTED':
      return problem(
        'certificateUntrusted',
        'its certificate is from an unknown authority, so it is not trusted',
      )
    case 'CERT_HAS_EXPIRED':
      return problem('certificateExpired', 'its certificate has expired')
    case 'CERT_NOT_YET_VALID':
      return problem('certificateNotYetValid', 'its certificate is not valid yet')
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return problem(
        'certificateForOtherName',
        `its certificate covers ${cert?.subjectaltname ?? 'no name'}, not ${url.hostname}`,
      )
    case 'HPE_INVALID_CONSTANT':
      if (rawPacket === undefined) return undefined
      if (isTlsRecord(rawPacket)) return problem('tlsRequired', 'it answers with TLS, not with plain HTTP')
      if (isHttp2Settings(rawPacket)) return problem('http2Only', 'it answers with HTTP/2 only')
      return undefined
    case 'ECONNRESET':
    case 'EPIPE':
      return isConnected
        ? undefined
        : problem('tlsHandshake', 'it closed the connection during the TLS handshake')
  }
  if (typeof code !== 'string') return undefined
  if (
    /^(CERT|CRL|UNABLE_TO|ERROR_IN_CERT|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH|EE_|CA_)/.test(
      code,
    )
  )
    return problem('certificateInvalid', `its certificate is not accepted: ${message}`)
  // Old versions of Node have the reason only in the message.
  if (!code.startsWith('ERR_SSL_') && code !== 'EPROTO') return undefined
  const reason = `${code} ${message}`.toLowerCase().replaceAll(/[\s_]+/g, ' ')
  if (
    /wrong version number|packet length too long|record layer failure|unexpected message|http request/.test(
      reason,
    )
  )
    return problem('tlsMissing', 'it does not answer with TLS')
  if (/application protocol/.test(reason)) return problem('http2Only', 'it accepts HTTP/2 only')
  if (/certificate required|bad certificate|alert certificate unknown|no certificate/.test(reason))
    return problem('clientCertificateRequired', 'it requires a client certificate')
  if (/protocol version|unsupported protocol/.test(reason))
    return problem('tlsVersion', 'it accepts only TLS versions that are too old')
  // OpenSSL writes `<thread>:error:<number>:<library>:<function>:<reason>:<file>:<line>`.
  const [, , , , , detail = message] = message.split(':')
  return problem('tlsHandshake', `it ended the TLS handshake: ${detail}`)
}

const problem = (code: TlsProblemCode, text: string): TlsProblem => ({ code, what: text })

/** Whether bytes start with a TLS record, which is a handshake or an alert. */
const isTlsRecord = ([type, major]: Uint8Array): boolean => (type === 0x15 || type === 0x16) && major === 3

/** Whether bytes start with the first frame of an HTTP/2 server, of type SETTINGS and in stream 0. */
const isHttp2Settings = (bytes: Uint8Array): boolean =>
  bytes.length >= 9 && bytes[3] === 4 && bytes.subarray(5, 9).every((byte) => byte === 0)

/** The text of an error without a period. For a problem with TLS, also says what to do. */
export const withTlsRemedy = ({
  errorCode,
  error,
}: {
  readonly errorCode: string
  readonly error: string
}): string => (isTlsProblemCode(errorCode) ? `${error}. ${tlsRemedies[errorCode].replace(/\.$/, '')}` : error)

export const isTlsProblemCode = (code: string | undefined): code is TlsProblemCode =>
  code !== undefined && Object.hasOwn(tlsRemedies, code)
