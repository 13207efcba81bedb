import { callerCases } from '../../verify/caller-check/cases.ts'
import type { CallerRunOptions } from '../../verify/caller-check/caller-run-options.ts'
import { validateCallerOptions } from '../../verify/caller-check/validate-options.ts'
import { checkCases } from '../../verify/receiver-check/cases.ts'
import type { CallerCheckReport, CallerCheckResult } from '../../contract/checks/caller-check.ts'
import type { CaseResult } from '../../contract/checks/check.ts'
import {
  callerOptions,
  checkFlag,
  localReceiverOptions,
  receiverOptions,
  sharedOptions,
} from '../../contract/checks/check-options.ts'
import type { TestOptions } from '../../client/failure-tests.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { connect } from '../connect.ts'
import type { CommandIo } from '../io.ts'
import { readCheckOptions, repeatCommand, setOptions, type CheckFlags } from './check-flags.ts'
import { loadOrderStateModule, moduleIn } from './order-state-module.ts'
import { mistakeLines } from '../../contract/format/mistake-lines.ts'
import { listCases, runCases } from './run-cases.ts'

/** Checks an app that calls the API. */
export async function checkCaller(
  operand: string | undefined,
  flags: CheckFlags,
  found: CaseResult[],
  io: CommandIo,
): Promise<number> {
  if (flags.list) return listCases(callerCases, flags.json, io)
  const { orderUrl: orderOption, ...onlyOfReceivers } = { ...receiverOptions, ...localReceiverOptions }
  const { orderUrl } = readCheckOptions({ orderUrl: orderOption }, flags)
  if (operand !== undefined || orderUrl === undefined) {
    throw new UsageError(
      'check --caller requires --order-url, the address of your app that places an order, and takes no other address. Write npx paylink-sandbox check --caller --order-url http://localhost:3000/orders.',
    )
  }
  for (const [name] of setOptions(onlyOfReceivers, flags)) {
    throw new UsageError(
      `--${checkFlag(name)} is for a check of receivers. Leave it out, or leave out --caller.`,
    )
  }
  const options = await optionsOf(flags, io)
  const repeat = repeatCommand(undefined, flags)
  return runCases<CallerCheckResult, CallerCheckReport>(
    {
      suite: `paylink-sandbox check --caller ${orderUrl}`,
      cases: validateCallerOptions(orderUrl, options, checkCases),
      found,
      async openSandbox() {
        const sandbox = await connect(flags, io)
        return { sandbox, [Symbol.asyncDispose]: () => sandbox.close() }
      },
      run: (sandbox, run) => {
        const all: CallerRunOptions & TestOptions = { ...options, ...run, module: moduleIn(flags, io) }
        return sandbox.checkCaller(orderUrl, all)
      },
      explain: ({ name, seen }) => ({ message: seen, repeat: repeat(name) }),
      onlyAnswers: 'Answers and links were checked, but not orders.',
      mistakes: mistakeLines,
    },
    flags,
    io,
  )
}

async function optionsOf(flags: CheckFlags, io: CommandIo): Promise<CallerRunOptions> {
  const module = flags['order-state-module']
  const { orderState } = module === undefined ? {} : await loadOrderStateModule(module, io)
  return { orderState, ...readCheckOptions({ ...sharedOptions, ...callerOptions }, flags) }
}
