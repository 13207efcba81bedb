import { readFile, rename, rm, writeFile } from 'node:fs/promises'

export const STOP_HOST = '127.0.0.1'

/** How `stop` reaches a sandbox in the background, and how both prove who they are. */
export interface StopChannel {
  readonly port: number
  /** Sent by the caller. Only those who can read the record know this secret. */
  readonly secret: string
  /** Sent back by the sandbox. If another program listens on this port, it does not know this proof. */
  readonly proof: string
}

/** Describes a sandbox in the background while it runs. The sandbox itself writes it. */
interface BackgroundRecord extends StopChannel {
  readonly url: string
  readonly pid: number
  readonly log: string
}

/** Reads a record. `undefined` if there is none. The record of a sandbox that was killed remains. */
export async function readRecord(file: string): Promise<BackgroundRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(file, 'utf8')) as Partial<BackgroundRecord> | null
    return Number.isInteger(record?.port) ? (record as BackgroundRecord) : undefined
  } catch {
    return undefined
  }
}

/** Writes a new file and renames it, so that nobody reads an incomplete record. Only the owner may read the secret. */
export async function writeRecord(file: string, record: BackgroundRecord): Promise<void> {
  const draft = `${file}.${record.pid}`
  await writeFile(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 })
  await rename(draft, file)
}

export const removeRecord = (file: string): Promise<void> => rm(file, { force: true })
