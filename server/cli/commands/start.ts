import { type StartOptions, isLoopbackAddress, readStartOptions } from '../../runtime/config/read-options.ts'
import { behaviorNames, listOptions } from '../../domain/behaviors/behavior.ts'
import { groupOpenPoints } from '../../domain/behaviors/open-point-groups.ts'
import { behaviors } from '../../domain/behaviors/open-points.ts'
import { command } from '../command.ts'
import { sandboxOptions } from '../../runtime/config/options.ts'
import { startFlags } from '../start-flags.ts'
import { rejectIfRunning } from '../background/reject-if-running.ts'
import { serveBackground } from '../background/serve-background.ts'
import { startDetached } from '../background/start-detached.ts'
import { stopCommand } from '../background/stop-command.ts'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { once } from 'node:events'
import { createInterruption } from '../interruption.ts'
import { fileIn, printMessage, type CommandIo } from '../io.ts'
import { openSandbox, WEBHOOK_GRACE_MS } from '../open-sandbox.ts'
import { rejectTakenPort } from '../reject-taken-port.ts'
import type { RunningSandbox } from '../../runtime/sandbox.ts'
import type { Certificate } from '../../platform/tls/certificate.ts'
import { X509Certificate } from 'node:crypto'
import { isDatabaseFile, printableDatabase } from '../../platform/system/database-name.ts'
import type { Account } from '../../domain/accounts/account.ts'
import type { EgressRules } from '../../domain/network/egress-rules.ts'
import { appEnvironment } from '../app-environment.ts'
import { broadPatternWarnings } from '../../domain/network/allowed-host.ts'

/** Opens the inspector in the default browser. If there is none, prints a line instead. */
async function openInspector(
  url: string,
  { adminToken, quiet }: Pick<StartOptions, 'adminToken' | 'quiet'>,
  io: CommandIo,
): Promise<void> {
  const token = adminToken === undefined ? '' : `?admin_token=${encodeURIComponent(adminToken)}`
  const printFailure = (): void => {
    if (!quiet) printMessage(io, `No browser could be opened here. The inspector is at ${url}/`)
  }
  try {
    const { default: open } = await import('open')
    // If the browser was not running before, this process runs as long as the browser does.
    const opener: ChildProcess = await open(`${url}/${token}`)
    opener.once('exit', (code) => code !== 0 && printFailure())
  } catch {
    printFailure()
  }
}

const CONFIGURATION_NOTE = [
  'Each flag except --detach can also be set in paylink.config.ts, or by an environment variable: PAYLINK_ and its',
  'name in capitals, with _ for -. The variable of --admin-token is PAYLINK_ADMIN_TOKEN.',
]

const behaviorNote = (): string[] => [
  'Behaviors, the default first. The guide on undocumented behavior explains them.',
  ...groupOpenPoints(behaviorNames.map((name) => ({ name, group: behaviors[name].group }))).flatMap(
    ({ title, points }) => [
      `  ${title}:`,
      ...points.map(({ name }) => `    ${name.padEnd(29)}${listOptions(name).join(' | ')}`),
    ],
  ),
]

export const start = command({
  text: 'start a sandbox; with --detach, in the background (the default command)',
  flags: {
    detach: {
      kind: 'switch',
      text: 'start the sandbox in the background, and return when it is ready; the command stop ends it',
    },
    ...startFlags,
  },
  examples: [
    'start --port 0 --db :memory: --json',
    'start --detach',
    'start --behavior payId=distinct --map https://shop.example.com=http://localhost:3000',
  ],
  exitCodes:
    '0: stopped by Ctrl-C, or with --detach ready. 1: failed. 2: usage error, or the port or the database cannot be used.',
  notes: () => [CONFIGURATION_NOTE, behaviorNote()],
  async run({ values, args }, io) {
    const options = await readStartOptions(values, io)
    await rejectIfRunning(options, io)
    if (values.detach === true) return startDetached(args, options, io)
    using interruption = createInterruption(io, ['SIGINT', 'SIGTERM'])
    const { signal } = interruption
    await rejectTakenPort(options)
    const newFolder = missingFolderOf(options.db, io)
    const sandbox = await openSandbox(options, io)
    if (newFolder !== undefined && !options.quiet)
      printMessage(io, `The folder ${newFolder} was created for the database, because there was none.`)
    // With port 0, the port is known only now.
    const served = { ...options, port: Number(new URL(sandbox.url).port) || options.port }
    const background = io.background && (await serveBackground(sandbox, served, io.background.log, io))
    await printReady(sandbox, served, io)
    await io.background?.ready()
    io.onServing?.()
    if (options.open) void openInspector(sandbox.url, options, io)

    try {
      if (!signal.aborted)
        await Promise.race([
          once(signal, 'abort'),
          ...(sandbox.failed ? [sandbox.failed] : []),
          ...(background ? [background.stopped] : []),
        ])
    } finally {
      await sandbox.close(WEBHOOK_GRACE_MS)
      await background?.end()
    }
    return 0
  },
})

/** The folder of a database that does not exist yet, except for that of the default database. A misspelled path would be noticed late. */
function missingFolderOf(db: string, io: CommandIo): string | undefined {
  if (db === sandboxOptions.db.default || !isDatabaseFile(db)) return undefined
  const folder = dirname(db)
  return existsSync(fileIn(io, folder)) ? undefined : folder
}

/** Explains why a changed seed has no effect. */
const unusedSeedText = (db: string): string =>
  `The seed was not loaded, because database ${db} already has data. To load it, run npx paylink-sandbox reset.\n\n`

async function printReady(sandbox: RunningSandbox, options: StartOptions, io: CommandIo): Promise<void> {
  const { db, seed, json, quiet } = options
  const accounts = (await sandbox.accounts()).filter(({ environment }) => environment === 'development')
  const humanOutput = json ? io.stderr : io.stdout

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
      ...(io.background && { pid: process.pid, log: io.background.log }),
    }
    io.stdout.write(`${JSON.stringify(ready)}\n`)
  }
  if (!quiet)
    humanOutput.write(banner(sandbox, accounts, options, await sandbox.egressRules(), io.background?.log))
  const isFollower = sandbox.replica?.().role === 'follower'
  if (!quiet && seed !== undefined && !sandbox.isNew && !isFollower)
    humanOutput.write(unusedSeedText(printableDatabase(db)))
  humanOutput.write(`Sandbox listening on ${sandbox.url}\n`)
}

const fingerprintOf = ({ cert }: Certificate): string => new X509Certificate(cert).fingerprint256

function banner(
  sandbox: RunningSandbox,
  accounts: readonly Account[],
  options: StartOptions,
  { maps, allowedHosts }: EgressRules,
  log: string | undefined,
): string {
  const { db, host, publicUrl, adminToken, upstream } = options
  const { url, version, certificate } = sandbox
  const variables = appEnvironment({ url: publicUrl ?? url, certificate }, accounts)
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return [
    `paylink-sandbox ${version}`,
    '',
    `  Inspector     ${url}/`,
    `  API           ${url}/api/v2/<operation>`,
    ...(upstream === undefined ? [] : [`  Upstream      ${upstream} answers the calls`]),
    `  Control API   ${url}/_sandbox/v1/info`,
    `  Documents     ${url}/docs`,
    ...networkLines(sandbox, host, adminToken),
    `  Database      ${printableDatabase(db)}`,
    ...replicaLines(sandbox),
    ...(certificate === undefined
      ? []
      : [`  Certificate   ${certificate.file}`, `                SHA-256 ${fingerprintOf(certificate)}`]),
    ...(log === undefined ? [] : [`  Log           ${log}`, `  To stop       ${stopCommand(options)}`]),
    ...maps.map(({ from, to }) => `  Map           ${from} → ${to}`),
    ...(allowedHosts.length === 0 ? [] : [`  Allowed       ${allowedHosts.join(', ')}`]),
    ...broadPatternWarnings(allowedHosts).map((warning) => `                ${warning}`),
    '',
    ...(accounts.length === 0 ? [] : ['Ready to paste into a .env file:', '', ...lines, '']),
    ...accounts.map(
      ({ name, apiKey, recipientToken }) => `# ${name}: API key ${apiKey}, recipient token ${recipientToken}`,
    ),
    ...(accounts.length === 0 ? [] : ['']),
    '',
  ].join('\n')
}

/**
 * The role of this process, if several share a database. Only the leader prints the accounts, because only the leader reads the
 * database.
 */
function replicaLines({ replica }: RunningSandbox): readonly string[] {
  if (replica === undefined) return []
  const { role, leader } = replica()
  if (role === 'leader') return ['  Replica       leads']
  return [
    `  Replica       ${leader === null ? 'no process leads at the moment' : `forwards to the leader at ${leader}`}`,
    '  Accounts      in the inspector, and in the output of the leader',
  ]
}

/** The addresses for other machines, and the command that colleagues use to receive webhooks. Contains no token. */
function networkLines(
  { urlsForOthers, certificate }: RunningSandbox,
  host: string,
  adminToken: string | undefined,
): readonly string[] {
  if (isLoopbackAddress(host) && urlsForOthers.length === 0) return []
  const scheme = certificate === undefined ? 'http' : 'https'
  const [first = `${scheme}://<address>`, ...more] = urlsForOthers
  const where =
    urlsForOthers.length === 0
      ? [`  For others    ${first}, with the address of the host machine and the port that it publishes`]
      : [`  For others    ${first}`, ...more.map((url) => `                ${url}`)]
  const trust = certificate?.isSelfSigned ? `NODE_EXTRA_CA_CERTS=<copy of the certificate> ` : ''
  const token = adminToken === undefined ? '' : ' --token <token>'
  return [
    ...where,
    `  To listen     ${trust}npx paylink-sandbox listen <name> --forward-to http://localhost:3000 --sandbox ${first}${token}`,
  ]
}
