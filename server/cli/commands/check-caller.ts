import { callerCases } from '../../verify/caller-check/cases.ts'
import type { CallerRunOptions } from '../../verify/caller-check/caller-run-options.ts'
import { validateCallerOptions } from '../../verify/caller-check/validate-options.ts'
import type { CallerCheckReport, CallerCheckResult } from '../../contract/checks/caller-check.ts'
import type { TestOptions } from '../../client/failure-tests.ts'
import { UsageError } from '../../domain/text/usage-error.ts'
import { notJudgedLines, problemLines, worstProblemLines } from '../../contract/format/problem-lines.ts'
import { connect } from '../connect.ts'
import type { CommandIo } from '../io.ts'
import { optionalDuration } from '../read-arguments.ts'
import { namesIn, onlyNames, repeatCommand, type CheckFlags } from './check-flags.ts'
import { loadOrderStateModule, moduleIn } from './order-state-module.ts'
import { listCases, runCases } from './run-cases.ts'

/** Checks an app that calls the API. */
export async function checkCaller(
  operand: string | undefined,
  flags: CheckFlags,
  io: CommandIo,
): Promise<number> {
  if (flags.list) return listCases(callerCases, flags.json, io)
  const orderUrl = flags['order-url']
  if (operand !== undefined || orderUrl === undefined) {
    throw new UsageError(
      'check --caller requires the address of your app that places an order, and no receiver. Write paylink-sandbox check --caller --order-url http://localhost:3000/orders.',
    )
  }
  for (const flag of ['refund-url', 'interleave', 'histories', 'seed', 'restart', 'quick'] as const) {
    if (flags[flag] !== undefined && flags[flag] !== false) {
      throw new UsageError(`--${flag} is for a check of receivers. Leave it out, or leave out --caller.`)
    }
  }
  const options = await optionsOf(flags, io)
  const repeat = repeatCommand(undefined, flags)
  return runCases<CallerCheckResult, CallerCheckReport>(
    {
      suite: `paylink-sandbox check --caller ${orderUrl}`,
      cases: validateCallerOptions(orderUrl, options),
      async openSandbox() {
        const sandbox = await connect(flags, io)
        return { sandbox, [Symbol.asyncDispose]: () => sandbox.close() }
      },
      run: (sandbox, run) => {
        const all: CallerRunOptions & TestOptions = { ...options, ...run, module: moduleIn(flags, io) }
        return sandbox.checkCaller(orderUrl, all)
      },
      explain: ({ name, seen }) => ({ message: seen, repeat: repeat(name) }),
      conclude: (report) => [
        ...worstProblemLines(report),
        ...problemLines(report),
        ...notJudgedLines(report),
      ],
      scopeOf: ({ judged }) => CHECKED[judged],
    },
    flags,
    io,
  )
}

const CHECKED = {
  answers: 'Only answers were checked.',
  orders: 'Answers and the state of orders were checked.',
  fulfilments: 'Answers, orders and fulfilments were checked.',
} as const satisfies Record<CallerCheckReport['judged'], string>

async function optionsOf(flags: CheckFlags, io: CommandIo): Promise<CallerRunOptions> {
  const module = flags['order-state-module']
  const { orderState } = module === undefined ? {} : await loadOrderStateModule(module, io)
  return {
    orderState,
    orderBody: flags['order-body'],
    stateUrl: flags['state-url'],
    statePointer: flags['state-pointer'],
    paidValue: flags['paid-value'],
    cancelledValue: flags['cancelled-value'],
    countPointer: flags['count-pointer'],
    receivedPointer: flags['received-pointer'],
    refundedPointer: flags['refunded-pointer'],
    orderMethod: flags['order-method'],
    formUrl: flags['form-url'],
    failureText: flags['failure-text'],
    paidText: flags['paid-text'],
    only: onlyNames(flags),
    skip: namesIn(flags.skip),
    timeoutMs: optionalDuration('timeout', flags.timeout),
  }
}
