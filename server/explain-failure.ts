import { diagnosticLine, eventLine } from './cli/print.ts'
import type { SandboxAccount } from './client/account.ts'

const MOST_FOUND = 10
const MOST_EVENTS = 25

/** What an account has seen of a test that failed: what was found, and its newest events, a line each. */
export async function explainFailure(account: SandboxAccount): Promise<string> {
  try {
    const found = await account.diagnostics({ limit: MOST_FOUND })
    const events = (await account.events({ limit: MOST_EVENTS })).filter(
      ({ type }) => type !== 'diagnostic.found',
    )
    return [
      `The newest events of the account ${account.name}:`,
      ...events.map(eventLine),
      ...(found.length === 0 ? [] : ['What was found about what was sent and answered:']),
      ...found.map(diagnosticLine),
    ].join('\n')
  } catch (error) {
    // The test has failed already, and may have taken its account away.
    return `The sandbox has nothing to tell of the test: ${error instanceof Error ? error.message : String(error)}`
  }
}
