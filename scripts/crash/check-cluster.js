import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkDatabase } from './check-database.js'
import { createClusterCaller } from './cluster-caller.js'
import { inTime } from './in-time.js'
import { settle } from './settle.js'
import { unpackSnapshot } from './unpack-snapshot.js'

/**
 * Compares the state of replicas with what was requested and answered.
 *
 * @param {Omit<import('./check-database.js').CheckContext, 'refusesWebhooks'>} context
 * @param {ReturnType<typeof import('./follow-streams.js').followStreams>} streams
 * @param {string} folder for the snapshots
 */
export async function checkCluster(context, streams, folder) {
  const { url, isSettled, expected } = context
  const { problems } = expected
  const caller = createClusterCaller(url, problems)
  try {
    if (isSettled) await inTime(settle(caller), 'The replicas do not settle at the end.')
    // No webhook may be sent between the snapshot and the look at the receivers.
    await caller.control('PUT', '/clock', { mode: 'frozen' })
    await caller.control('POST', '/settle', { timeoutMs: 60_000 })
    await inTime(streams.complete(caller), 'A stream does not reach the end of the journal.')
    const file = join(folder, 'check.db')
    await saveSnapshots(caller, url, file, folder)
    problems.push(...checkDatabase(file, { ...context, refusesWebhooks: true }))
    await caller.control('PUT', '/clock', { mode: 'running' })
  } finally {
    await caller.close()
  }
}

/**
 * Downloads the state as a database file, and the snapshots into a folder beside it.
 *
 * @param {import('./caller.js').Caller} caller
 * @param {string} url
 * @param {string} file
 * @param {string} folder
 */
async function saveSnapshots(caller, url, file, folder) {
  const saved = `${file}.snapshots`
  rmSync(saved, { recursive: true, force: true })
  mkdirSync(saved)
  await caller.control('POST', '/snapshots', { name: 'check', replace: true })
  const list = await caller.control('GET', '/snapshots')
  for (const { name } of list?.body.snapshots ?? []) {
    const answer = await fetch(`${url}/_sandbox/v1/snapshots/${name}/file`)
    if (!answer.ok) throw new Error(`Snapshot ${name} cannot be downloaded: ${await answer.text()}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (name === 'check') await unpackSnapshot(bytes, file, folder)
    else writeFileSync(join(saved, `${name}.ndjson.gz`), bytes)
  }
}
