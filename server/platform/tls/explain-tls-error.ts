import { tlsProblemOf, tlsRemedies } from '../../domain/network/tls-problem.ts'

/** Explains why a request failed because of TLS, and what to do. `undefined` if it failed for another reason. */
export async function explainTlsError(url: string, error: unknown): Promise<string | undefined> {
  // In an error of `fetch`, the reason is the `cause`. An error of a socket is the reason itself.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  // `isConnected` is true, because a broken connection is no sign of a TLS problem: the sandbox may just have been stopped.
  const problem = tlsProblemOf(cause, new URL(url), true)
  if (!(cause instanceof Error) || problem === undefined) return undefined
  if (problem.code === 'tlsMissing') {
    return `The server at ${url} does not speak TLS. Use ${url.replace('https:', 'http:')} instead.`
  }
  if (!problem.code.startsWith('certificate')) {
    return `${url} cannot be reached: ${problem.what}. ${tlsRemedies[problem.code]}`
  }
  const shown = await readCertificate(url)
  const details = shown === undefined ? '' : ` It covers ${shown.names}, SHA-256 ${shown.fingerprint}.`
  // Node appends the names in a notation of its own, which is left out.
  const reason = cause.message.split(/\.(?:\s|$)| is not in the cert's list/)[0]
  const advice =
    problem.code === 'certificateForOtherName'
      ? 'Use one of those names, or start the sandbox with --host or --public-url for this one.'
      : 'If it is the certificate of your sandbox, set NODE_EXTRA_CA_CERTS=<file> with the file that the sandbox prints when it starts.'
  return `The certificate of ${url} is not trusted: ${reason}.${details} ${advice}`
}

/** The names and the fingerprint of a server's certificate. */
async function readCertificate(url: string): Promise<{ names: string; fingerprint: string } | undefined> {
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
