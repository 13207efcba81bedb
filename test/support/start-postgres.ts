import type { TestProject } from 'vitest/node'
import { findOrFetchPostgres } from '../../scripts/find-postgres.js'
import { startPostgres, type PostgresServer } from '../../scripts/start-postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server of this test run. `null`: none could be started. */
    readonly postgresUrl: string | null
  }
}

/** The server asks this user for a password. A test must create it. */
export const SCRAM_USER = 'shielded'

/** Starts a PostgreSQL server, and stops it after the tests. */
export async function setup(project: TestProject): Promise<() => void> {
  const programs = findOrFetchPostgres()
  if (programs === undefined) {
    process.stderr.write(
      'The tests on PostgreSQL are skipped: none is installed, and none could be downloaded.\n',
    )
    project.provide('postgresUrl', null)
    return () => undefined
  }
  const { url, stop } = await startPostgres(programs, { scramUser: SCRAM_USER })
  project.provide('postgresUrl', url)
  return stop
}

/** Starts a second server, apart from the server of the test run. */
export const startServer = (
  options: { isStandby?: boolean; isDurable?: boolean } = {},
): Promise<PostgresServer> => startPostgres(findOrFetchPostgres()!, options)
