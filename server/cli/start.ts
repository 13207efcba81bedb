import { once } from 'node:events'
import type { Account } from '../domain/account.ts'
import type { Diagnostic } from '../domain/diagnostic.ts'
import { readStartOptions, type StartOptions } from '../options.ts'
import { runSandbox, type RunningSandbox } from '../sandbox.ts'
import { openInspector } from './open-inspector.ts'

const GRACE_MS = 2_000

/** Serves until it is told to stop. Webhooks that are underway then get a moment to finish. */
export async function start(args: readonly string[]): Promise<number> {
  const options = await readStartOptions(args, process.env)
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  const sandbox = await runSandbox({
    port: options.port,
    host: options.host,
    db: options.db,
    publicUrl: options.publicUrl,
    allowedHosts: options.allowHost,
    behaviors: options.behaviors,
    clock: options.clock,
    adminToken: options.adminToken,
    ...(options.quiet ? {} : { onDiagnostic: tell }),
  })
  await announce(sandbox, options)
  if (options.open) void openInspector(sandbox.url, options)

  await stopped
  // Whoever asks twice does not want to wait.
  process.once('SIGINT', () => process.exit(130))
  await sandbox.close(GRACE_MS)
  return 0
}

function tell({ severity, code, title, seen, fix }: Diagnostic): void {
  process.stderr.write(`${severity} ${code}: ${title}. Seen: ${printable(seen)}. ${fix}\n`)
}

/** What came from outside must not move the cursor of a terminal. */
// eslint-disable-next-line no-control-regex
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')

async function announce(sandbox: RunningSandbox, { db, json, quiet }: StartOptions): Promise<void> {
  const accounts = (await sandbox.accounts()).filter(({ environment }) => environment === 'development')
  const people = json ? process.stderr : process.stdout

  if (json) {
    const ready = {
      type: 'ready',
      url: sandbox.url,
      version: sandbox.version,
      accounts: accounts.map(({ id, name, apiKey, recipientToken }) => ({
        id,
        name,
        apiKey,
        recipientToken,
      })),
    }
    process.stdout.write(`${JSON.stringify(ready)}\n`)
  }
  if (!quiet) people.write(banner(sandbox, accounts, db))
  people.write(`Sandbox listening on ${sandbox.url}\n`)
}

function banner({ url, version }: RunningSandbox, accounts: readonly Account[], db: string): string {
  const [owner, recipient] = accounts
  return [
    `paylink-sandbox ${version}`,
    '',
    `  Inspector     ${url}/`,
    `  API           ${url}/api/v2/<operation>`,
    `  Control API   ${url}/_sandbox/v1/info`,
    `  Database      ${db}`,
    '',
    ...(owner === undefined ? [] : ['Ready to paste into a .env file:', '', `PAYLINK_URL=${url}`]),
    ...(owner === undefined ? [] : [`PAYLINK_API_KEY=${owner.apiKey}`]),
    ...(recipient === undefined ? [] : [`PAYLINK_RECIPIENT_TOKEN=${recipient.recipientToken}`]),
    '',
    ...accounts.map(
      ({ name, apiKey, recipientToken }) => `# ${name}: API key ${apiKey}, recipient token ${recipientToken}`,
    ),
    '',
    '',
  ].join('\n')
}
