import { readFile, rename, rm, writeFile } from 'node:fs/promises'

export const STOP_HOST = '127.0.0.1'

/** How `stop` reaches a sandbox, and how each of them proves its identity. */
export interface StopChannel {
  readonly port: number
  /** The caller sends it. Only somebody who can read the record knows it. */
  readonly secret: string
  /** The sandbox answers with it. Another program on this port does not know it. */
  readonly proof: string
}

/** The record that a sandbox in the background keeps while it runs. */
interface BackgroundRecord extends StopChannel {
  readonly url: string
  readonly pid: number
  readonly log: string
}

/** Reads a record, `undefined` if there is none. A sandbox that was killed leaves its record behind. */
export async function readRecord(file: string): Promise<BackgroundRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(file, 'utf8')) as Partial<BackgroundRecord> | null
    return Number.isInteger(record?.port) ? (record as BackgroundRecord) : undefined
  } catch {
    return undefined
  }
}

/** Writes a new file and renames it, so that nobody reads half a record. Only the owner may read the secret. */
export async function writeRecord(file: string, record: BackgroundRecord): Promise<void> {
  const draft = `${file}.${record.pid}`
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

export const removeRecord = (file: string): Promise<void> => rm(file, { force: true })
