import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { Account } from '../domain/account.ts'
import type { Outlets } from '../domain/outlets.ts'
import { readStartOptions, type StartOptions } from '../options.ts'
import type { RunningSandbox } from '../sandbox.ts'
import type { Certificate } from '../tls/certificate.ts'
import { appEnvironment } from './app-environment.ts'
import { openInspector } from './open-inspector.ts'
import { openSandbox } from './open-sandbox.ts'

const GRACE_MS = 2_000

/** Serves until it is told to stop. Webhooks that are underway then get a moment to finish. */
export async function start(args: readonly string[]): Promise<number> {
  const options = await readStartOptions(args, process.env)
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const sandbox = await openSandbox(options)
  await announce(sandbox, options)
  if (options.open) void openInspector(sandbox.url, options)

  await stopped
  // Whoever asks twice does not want to wait.
  process.once('SIGINT', () => process.exit(130))
  await sandbox.close(GRACE_MS)
  return 0
}

/** Whoever changes a seed and starts again would look for it in vain. */
const seedWaits = (db: string): string =>
  `The seed was not planted, as database ${db} was used before. A reset goes back to it: POST /_sandbox/v1/reset.\n\n`

async function announce(sandbox: RunningSandbox, { db, seed, json, quiet }: StartOptions): Promise<void> {
  const accounts = (await sandbox.accounts()).filter(({ environment }) => environment === 'development')
  const people = json ? process.stderr : process.stdout

  if (json) {
    const ready = {
      type: 'ready',
      url: sandbox.url,
      version: sandbox.version,
      ...(sandbox.certificate && {
        certificate: { file: sandbox.certificate.file, sha256: fingerprintOf(sandbox.certificate) },
      }),
      accounts: accounts.map(({ id, name, apiKey, recipientToken }) => ({
        id,
        name,
        apiKey,
        recipientToken,
      })),
    }
    process.stdout.write(`${JSON.stringify(ready)}\n`)
  }
  if (!quiet) people.write(banner(sandbox, accounts, db, await sandbox.outlets()))
  if (!quiet && seed !== undefined && !sandbox.isNew) people.write(seedWaits(db))
  people.write(`Sandbox listening on ${sandbox.url}\n`)
}

const fingerprintOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256

function banner(
  sandbox: RunningSandbox,
  accounts: readonly Account[],
  db: string,
  { maps, allowedHosts }: Outlets,
): string {
  const { url, version, certificate } = sandbox
  const lines = Object.entries(appEnvironment(sandbox, accounts)).map(([name, value]) => `${name}=${value}`)
  return [
    `paylink-sandbox ${version}`,
    '',
    `  Inspector     ${url}/`,
    `  API           ${url}/api/v2/<operation>`,
    `  Control API   ${url}/_sandbox/v1/info`,
    `  Documents     ${url}/docs`,
    `  Database      ${db}`,
    ...(certificate === undefined
      ? []
      : [`  Certificate   ${certificate.file}`, `                SHA-256 ${fingerprintOf(certificate)}`]),
    ...maps.map(({ from, to }) => `  Map           ${from} → ${to}`),
    ...(allowedHosts.length === 0 ? [] : [`  Allowed       ${allowedHosts.join(', ')}`]),
    '',
    ...(accounts.length === 0 ? [] : ['Ready to paste into a .env file:', '', ...lines]),
    '',
    ...accounts.map(
      ({ name, apiKey, recipientToken }) => `# ${name}: API key ${apiKey}, recipient token ${recipientToken}`,
    ),
    '',
    '',
  ].join('\n')
}
