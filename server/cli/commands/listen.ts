import { forwardedPath } from '../../domain/http/proxy-headers.ts'
import { inspect } from 'node:util'
import { formatMebibytes } from '../../domain/http/limits.ts'
import { listen as listenAt, listenerName, type ListenCallbacks } from '../../client/listener/listen.ts'
import { ListenerRejectedError } from '../../client/listener/rejected-error.ts'
import {
  LISTENER_NAME_PATTERN,
  MAX_KEPT_BYTES,
  MAX_KEPT_REQUESTS,
  TUNNEL_NAME_FORM,
  TUNNEL_NAME_PATTERN,
} from '../../domain/network/tunnel.ts'
import { plural } from '../../contract/format/values.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import type { SandboxAccount } from '../../client/account.ts'
import { addressExample, completeAddress } from '../../domain/network/complete-address.ts'
import { invalidValue } from '../../runtime/config/option.ts'
import { command } from '../command.ts'
import { jsonFlag, sandboxFlag } from '../shared-flags.ts'
import { findAddress, connectIfAdmitted, readSecret, type Address } from '../connect.ts'
import { createInterruption } from '../interruption.ts'
import { explainError } from '../explain-error.ts'
import { toneText } from '../../contract/format/terminal-text.ts'
import { visibleLine } from '../../domain/text/visible.ts'
import { type CommandIo, printMessage } from '../io.ts'
import { readWholeNumber } from '../read-values.ts'

export const listen = command({
  text: 'forward the requests of a tunnel to your app, even if the sandbox runs on another machine',
  operands: ['<tunnel>'],
  flags: {
    'forward-to': {
      kind: 'text',
      value: '<url>',
      text: 'address of your app; the path of each request is appended',
    },
    account: {
      kind: 'text',
      value: '<id|name>',
      text: 'also make the tunnel the payment endpoint of this account; requires the admin token if the sandbox has one',
    },
    since: {
      kind: 'text',
      value: '<seq>',
      text: 'also forward stored requests: all, or those since the event with this seq (only new requests)',
    },
    name: {
      kind: 'text',
      value: '<name>',
      text: 'name that identifies this listener after a restart (machine and address)',
    },
    'exit-on-disconnect': {
      kind: 'switch',
      text: 'do not reconnect: exit with 1 if the connection is lost, with 2 if no sandbox is reachable',
    },
    sandbox: sandboxFlag,
    token: {
      kind: 'text',
      value: '<token>',
      text: 'token for the tunnel, or the admin token (PAYLINK_TOKEN, or else PAYLINK_ADMIN_TOKEN)',
      group: sandboxFlag.group,
    },
    json: { ...jsonFlag, text: 'print JSON lines on stdout' },
  },
  examples: [
    'listen flower-shop --forward-to http://localhost:3000/webhooks',
    'listen flower-shop --forward-to http://localhost:3000/webhooks --account "Flower Shop"',
    'listen ada-shop --forward-to http://localhost:3000 --sandbox https://pay.example --since all',
  ],
  async run({ flags, operands }, io) {
    const name = readName(operands[0])
    const forwardTo = readTarget(flags['forward-to'])
    const listener = readListener(flags.name ?? listenerName(forwardTo))
    const since = readSince(flags.since)
    const { url, certificate } = await findAddress({ sandbox: flags.sandbox, 'admin-token': undefined }, io)
    const secret = readSecret({ '--token': flags.token }, io.env, ['PAYLINK_TOKEN', 'PAYLINK_ADMIN_TOKEN'])
    const token = secret?.value
    const json = (value: object): void => void (flags.json && io.stdout.write(`${JSON.stringify(value)}\n`))
    const pointAccount = async (account: string): Promise<void> => {
      const changed = await setEndpoint(
        { url, adminToken: token, adminTokenName: secret?.name, certificate },
        account,
        name,
      )
      json({ type: 'account', account: changed.name, paymentEndpoint: changed.paymentEndpoint })
      printMessage(io, `The payment endpoint of ${changed.name} is ${changed.paymentEndpoint} now.`)
    }
    if (flags.account !== undefined) await pointAccount(flags.account)

    using interruption = createInterruption(io)
    const ended = new AbortController()
    const end = (): void => ended.abort()
    interruption.signal.addEventListener('abort', end)
    let isLost = false
    let isReported = false
    let wasConnected = false
    /** Warns that pending requests are lost when the sandbox ends. Empty if they are not. */
    let lifetimeNote = ''

    /** Reports that there is no connection. With --exit-on-disconnect, ends the command. */
    function notConnected(text: string): void {
      if (!isReported) printMessage(io, flags['exit-on-disconnect'] ? text : `${text} Trying again.`)
      isReported = true
      if (!flags['exit-on-disconnect']) return
      isLost = true
      end()
    }

    const callbacks: ListenCallbacks = {
      onConnected({ isNew, isReconnect: isBack, waiting, dropped, newest, isPersistent: isKept }) {
        isReported = false
        wasConnected = true
        lifetimeNote =
          isKept === false ? ', but only until that sandbox stops, because its database is in memory' : ''
        json({ type: 'connected', listener, tunnel: name, to: forwardTo, isNew, waiting, dropped })
        printMessage(
          io,
          isBack
            ? `Reconnected to ${url}.`
            : `Listening as ${listener}: requests to ${url}/tunnel/${name} are posted to ${forwardTo}. Press Ctrl-C to stop.`,
        )
        if (isBack && isNew) {
          printMessage(
            io,
            'The sandbox no longer knew this listener. It missed the requests that arrived meanwhile.',
          )
          // After a reset, or after a restart with a database in memory, the account has its original settings again, so the
          // payment endpoint must be set once more.
          if (flags.account !== undefined) {
            void pointAccount(flags.account).catch((error: unknown) =>
              printMessage(io, explainError(error, flags.json) ?? inspect(error)),
            )
          }
        }
        if (!isBack && since !== undefined && newest !== undefined && since > newest) {
          printMessage(
            io,
            `--since ${since} is after the newest event, which is ${newest}. Only new requests are posted.`,
          )
        }
        if (waiting > 0)
          printMessage(
            io,
            `${plural(waiting, 'stored request')} ${waiting === 1 ? 'is' : 'are'} posted first.`,
          )
        if (dropped > 0) printMissed(io, dropped)
      },
      onDisconnected(why) {
        json({ type: 'lost', reason: why })
        notConnected(`The connection to ${url} is lost: ${why}. New requests wait there${lifetimeNote}.`)
      },
      onUnreachable: (why) =>
        notConnected(
          `No sandbox answers at ${url}: ${why}. Start one there, or pass another address with --sandbox.`,
        ),
      onTargetChange(isUp, why) {
        json({ type: 'target', isUp })
        printMessage(
          io,
          isUp
            ? `Your app at ${forwardTo} answers.`
            : `Your app at ${forwardTo} is down: ${why}. Start it, or pass another address with --forward-to.`,
        )
      },
      onForwarded({ seq, method, path, status, error, wasPosted, ms, possibleDuplicate }) {
        json({ type: 'request', seq, method, path, status, error, wasPosted, ms, possibleDuplicate })
        if (flags.json) return
        const isGood = status !== null && status < 400
        const mark = toneText(isGood ? 'ok' : 'err', String(status ?? '✕'))
        const notPostedText = wasPosted ? '' : 'not posted to your app, and not sent again'
        const more = [possibleDuplicate ? 'possible duplicate' : '', error ?? '', notPostedText]
          .filter(Boolean)
          .join(', ')
        io.stdout.write(
          `${mark}  ${method} ${visibleLine(forwardedPath(forwardTo, path))}  ${ms} ms${more && `  ${visibleLine(more)}`}\n`,
        )
      },
      onDropped(count) {
        json({ type: 'missed', count })
        printMissed(io, count)
      },
    }
    try {
      await listenAt(
        { url, token, certificate, tunnel: name, to: forwardTo, listener, since },
        callbacks,
        ended.signal,
      )
    } catch (error) {
      if (!(error instanceof ListenerRejectedError)) throw error
      if (error.status !== 409) throw new UsageError(`${error.message}${toDo(error)}`)
      printMessage(io, error.message)
      return 1
    }
    if (isLost) return wasConnected ? 1 : 2
    if (!wasConnected) {
      printMessage(io, `Stopped. No sandbox answered at ${url}, so no requests wait for ${listener}.`)
      return 0
    }
    printMessage(io, `Stopped. New requests wait for ${listener} for a day${lifetimeNote}.`)
    return 0
  },
})

/** Sets the payment endpoint of an account to the public address of a tunnel. */
async function setEndpoint(address: Address, idOrName: string, tunnel: string): Promise<SandboxAccount> {
  const sandbox = await connectIfAdmitted(address)
  if (sandbox === undefined) {
    throw new UsageError(
      address.adminTokenName === undefined
        ? `The sandbox at ${address.url} requires its admin token to change an account. Pass it with --token, or set PAYLINK_ADMIN_TOKEN.`
        : `${address.adminTokenName} is not the admin token of the sandbox at ${address.url}, which --account requires. Correct it, or leave out --account.`,
    )
  }
  const [account, { url }] = await Promise.all([sandbox.account(idOrName), sandbox.info()])
  return account.change({ paymentEndpoint: `${url}/tunnel/${tunnel}` })
}

/** How to pass a token that was missing or wrong. */
function toDo({ status }: ListenerRejectedError): string {
  if (status === 401) return ' Pass the token with --token or PAYLINK_TOKEN.'
  return status === 403 ? ' Listen on one of those, or pass another token with --token or PAYLINK_TOKEN.' : ''
}

function readSince(since: string | undefined): number | undefined {
  if (since === 'all') return 0
  if (since === undefined || /^\d+$/.test(since)) return readWholeNumber('since', since, 0)
  throw new UsageError(`--since is ${since}. It must be the seq of an event, a whole number from 0, or all.`)
}

const printMissed = (io: CommandIo, count: number): void =>
  printMessage(
    io,
    `${plural(count, 'request')} ${count === 1 ? 'was' : 'were'} dropped before your app got ${count === 1 ? 'it' : 'them'}: a tunnel keeps its newest ${MAX_KEPT_REQUESTS} requests, up to ${formatMebibytes(MAX_KEPT_BYTES)}.`,
  )

function readName(name: string): string {
  if (TUNNEL_NAME_PATTERN.test(name)) return name
  throw new UsageError(`The tunnel is ${name}. Its name must be ${TUNNEL_NAME_FORM}.`)
}

function readListener(name: string): string {
  if (LISTENER_NAME_PATTERN.test(name)) return name
  throw new UsageError(
    `--name is ${name}. It must be up to 100 letters, digits, dots, dashes and underscores.`,
  )
}

function readTarget(to: string | undefined): string {
  const example = 'http://localhost:3000/hooks'
  if (to === undefined)
    throw new UsageError(`listen requires --forward-to, the address of your app, like ${example}.`)
  const whole = completeAddress(to)
  if (/^https?:\/\//i.test(whole) && URL.canParse(whole)) return new URL(whole).href
  throw invalidValue('--forward-to', to, `an address like ${addressExample(to, example)}`)
}
