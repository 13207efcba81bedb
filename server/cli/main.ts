#!/usr/bin/env node
import { ListenProblem } from '../serve.ts'
import { DatabaseProblem } from '../store/database.ts'
import { hint, UsageProblem } from '../usage-problem.ts'
import { version } from '../version.ts'
import { help } from './help.ts'
import { start } from './start.ts'

/** 0 is fine, 1 a failure, 2 a wrong start: usage, configuration, a port or a file in use. */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h') || args[0] === 'help') {
    process.stdout.write(help())
    return 0
  }
  if (args.includes('--version')) {
    process.stdout.write(`${version}\n`)
    return 0
  }
  const [first, ...rest] = args
  if (first === undefined || first.startsWith('-')) return start(args)
  if (first === 'start') return start(rest)
  throw new UsageProblem(`Unknown command ${first}.${hint(first, ['start', 'help'])} --help lists them.`)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const isExpected =
    error instanceof UsageProblem || error instanceof DatabaseProblem || error instanceof ListenProblem
  if (isExpected) process.stderr.write(`${error.message}\n`)
  else console.error(error)
  process.exitCode = isExpected ? 2 : 1
}
