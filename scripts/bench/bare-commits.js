import { createRequire } from 'node:module'

/** @type {import('../../server/store/postgres/pg-module.ts').PgModule} */
const { Client } = createRequire(import.meta.url)('pg')

/**
 * Opens a connection that commits one small row at a time. This is the least that a durable call costs on this disk.
 *
 * @param {string} url
 */
export async function openBareCommits(url) {
  const client = new Client({
    connectionString: url,
    application_name: 'bench',
    keepAlive: false,
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: () => (value) => value },
  })
  await client.connect()
  await client.query('create table bare (id bigint generated always as identity, body text)')
  return {
    /** @returns {Promise<number>} how many milliseconds a commit took */
    async commit() {
      const began = performance.now()
      await client.query(`insert into bare (body) values ('${'x'.repeat(100)}')`)
      return performance.now() - began
    },
    end: () => client.end(),
  }
}
