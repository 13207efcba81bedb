import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { beforeEach, inject } from 'vitest'
import type { PgModule } from '../../server/store/postgres/pg-module.ts'

const { Client } = createRequire(import.meta.url)('pg') as PgModule

/** The server of this test run. `undefined` if the tests run on SQLite. */
export const postgresUrl: string | undefined = inject('postgresUrl') ?? undefined

/** A schema that nothing else uses. It is dropped at the end. */
export function newSchema(server = postgresUrl ?? '') {
  const schema = `t-${randomUUID()}`
  return {
    url: `${server}?schema=${schema}`,
    schema,
    [Symbol.asyncDispose]: () =>
      query(server, `drop schema if exists "${schema}" cascade`).then(() => undefined),
  }
}

/** Opens a connection to the server of this test run. Rows contain text only. */
export async function openConnection(server: string) {
  const client = new Client({
    connectionString: server,
    application_name: 'tests',
    keepAlive: false,
    connectionTimeoutMillis: 60_000,
    types: { getTypeParser: () => (value) => value },
  })
  await client.connect()
  return {
    /** Runs statements, and returns the rows of the last one. */
    async query(text: string): Promise<Record<string, unknown>[]> {
      const result = await client.query(text)
      return (Array.isArray(result) ? result.at(-1)! : result).rows
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Runs statements on the server of this test run, with a connection of their own. */
export async function query(server: string, text: string): Promise<Record<string, unknown>[]> {
  await using connection = await openConnection(server)
  return await connection.query(text)
}

/** Skips a file that tests only PostgreSQL if there is no server. */
export const skipWithoutPostgres = (): void =>
  beforeEach(({ skip }) => skip(postgresUrl === undefined, 'There is no PostgreSQL.'))
