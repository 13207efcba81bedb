import { randomInt } from 'node:crypto'
import type { CaseResult, CheckOptions, CheckReport, CheckResult } from '../../contract/checks/check.ts'
import {
  callerOptions,
  checkFlag,
  localReceiverOptions,
  receiverOptions,
  sharedOptions,
} from '../../contract/checks/check-options.ts'
import { type Sandbox, connectSandbox } from '../../client/connect-sandbox.ts'
import { quoteIfNeeded } from '../../domain/http/curl.ts'
import type { TestOptions } from '../../client/failure-tests.ts'
import { completeAddress } from '../../domain/network/complete-address.ts'
import { reasonOf } from '../../domain/text/reason-of.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { callerCases } from '../../verify/caller-check/cases.ts'
import { checkCases } from '../../verify/receiver-check/cases.ts'
import type { CheckRunOptions } from '../../verify/app/run/check-run-options.ts'
import { validateOptions } from '../../verify/receiver-check/validate-options.ts'
import { variableIn } from '../../platform/system/environment.ts'
import { command } from '../command.ts'
import { connect } from '../connect.ts'
import type { CommandIo } from '../io.ts'
import { checkCaller } from './check-caller.ts'
import {
  checkFlags,
  readCheckOptions,
  repeatCommand,
  setOptions,
  withAddresses,
  type CheckFlags,
} from './check-flags.ts'
import { loadOrderStateModule, moduleIn } from './order-state-module.ts'
import { mistakeLines } from '../../contract/format/mistake-lines.ts'
import { explainError } from '../explain-error.ts'
import { listCases, printUnfinished, runCases } from './run-cases.ts'

export const check = command({
  text: 'test your webhook receiver, or with --caller the code that calls the API',
  operands: ['[url]'],
  flags: checkFlags,
  examples: [
    'check http://localhost:3000/webhooks',
    'check http://localhost:3000/webhooks --order-url http://localhost:3000/orders --state-url "http://localhost:3000/orders/{note}"',
    'check http://localhost:3000/webhooks --only repeated-at-once,forged-amount --junit check.xml',
    'check http://localhost:3000/webhooks --skip json,json-charset',
    'check --caller --order-url http://localhost:3000/orders --state-url "http://localhost:3000/orders/{order}/state"',
  ],
  async run({ flags, operands }, io) {
    const results: CaseResult[] = []
    try {
      return await runCheck(operands[0], flags, results, io)
    } catch (error) {
      if (flags.json) printUnfinished(explainError(error, true) ?? reasonOf(error), results, io)
      throw error
    }
  },
})

/** Adds each result to `found` as soon as it is known. */
async function runCheck(
  operand: string | undefined,
  passed: CheckFlags,
  found: CaseResult[],
  io: CommandIo,
): Promise<number> {
  const flags = withAddresses(passed)
  const receiver = operand && completeAddress(operand)
  if (flags.caller) return checkCaller(receiver, flags, found, io)
  for (const [name] of setOptions(callerOptions, flags)) {
    throw new UsageError(
      `--${checkFlag(name)} is for a check of callers. Pass --caller, or leave out --${checkFlag(name)}.`,
    )
  }
  if (flags.list) return listCases(checkCases, flags.json, io)
  if (!receiver) {
    throw new UsageError(
      'check requires the address of your receiver. Write npx paylink-sandbox check http://localhost:3000/webhooks, or check --list.',
    )
  }
  const options = await optionsOf(flags, io)
  const isPlayed = options.interleave !== undefined || options.histories !== undefined
  const repeat = !isPlayed
    ? repeatCommand(receiver, flags)
    : repeatCommand(receiver, flags, (name) => `--interleave ${quoteIfNeeded(name)}`)
  const cases = validateOptions(receiver, options, callerCases)
  return runCases<CheckResult, CheckReport>(
    {
      suite: `paylink-sandbox check ${receiver}`,
      cases,
      found,
      intro: introOf(options, cases.length),
      openSandbox: () => sandboxFor(flags, options, io),
      run: (sandbox, run) => {
        const all: CheckRunOptions & TestOptions = { ...options, ...run, module: moduleIn(flags, io) }
        return sandbox.check(receiver, all)
      },
      explain: ({ name, seen, sameAs, repeat: request }) =>
        sameAs === null
          ? { message: seen, repeat: (isPlayed ? null : request) ?? repeat(name) }
          : { message: `same cause as ${sameAs}`, isKnownCause: true },
      onlyAnswers: 'Only answers were checked.',
      mistakes: mistakeLines,
    },
    flags,
    io,
  )
}

function introOf({ interleave, histories, seed }: CheckOptions, count: number): string | undefined {
  if (histories !== undefined) return `Next: ${count} histories. To play them again, pass --seed ${seed}.`
  return interleave && `Next: ${count} ${count === 1 ? 'sequence' : 'sequences'} of events.`
}

async function optionsOf(flags: CheckFlags, io: CommandIo): Promise<CheckOptions> {
  const options = readCheckOptions({ ...sharedOptions, ...receiverOptions, ...localReceiverOptions }, flags)
  return {
    ...(flags['order-state-module'] === undefined
      ? {}
      : await loadOrderStateModule(flags['order-state-module'], io)),
    ...(options.histories !== undefined && { seed: randomInt(1, receiverOptions.seed.max!) }),
    ...options,
  }
}

/** The sandbox that the app uses, or a new one in memory if the app does not need one. */
async function sandboxFor(
  flags: CheckFlags,
  { orderUrl, createOrder }: CheckOptions,
  io: CommandIo,
): Promise<{ readonly sandbox: Sandbox } & AsyncDisposable> {
  const makesOrders = orderUrl !== undefined || createOrder !== undefined
  if (makesOrders || flags.sandbox !== undefined || variableIn(io.env, 'PAYLINK_URL') !== undefined) {
    const sandbox = await connect(flags, io)
    return { sandbox, [Symbol.asyncDispose]: () => sandbox.close() }
  }
  const { openMemorySandbox } = await import('../open-sandbox.ts')
  const running = await openMemorySandbox(io)
  const sandbox = await connectSandbox(running.url)
  return { sandbox, [Symbol.asyncDispose]: () => running.close() }
}
