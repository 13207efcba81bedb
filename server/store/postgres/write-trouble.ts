import { DISK_FULL, type Trouble } from '../../platform/system/file-trouble.ts'
import type { PostgresAddress } from './address.ts'
import { postgresTroubleOf, READ_ONLY } from './postgres-trouble.ts'
import type { Session } from './session.ts'

/** Writes about 256 KiB, which is more than a few calls need, and discards them. The rows are too short to be compressed. */
const probeOf = (schema: string): string => `begin;
  create table "${schema}"."spaceProbe" as
    select repeat(md5(n::text), 60) as "filler" from generate_series(1, 140) as n;
  rollback`

/** Remembers that the server refuses to write, and finds out when it accepts writes again. */
export function createWriteTrouble(session: Session, { schema }: PostgresAddress) {
  let trouble: Trouble | undefined
  let probing: Promise<boolean> | undefined

  const canWrite = (): Promise<boolean> =>
    session.queryAlone(probeOf(schema)).then(
      () => true,
      () => false,
    )

  return {
    /** Remembers the error of a statement if it is a refused write. */
    note(error: unknown): void {
      const found = postgresTroubleOf(error)
      if (found === DISK_FULL || found === READ_ONLY) trouble = found
    },
    /** Why the server refuses to write. If it has refused before, tries to write again. */
    async trouble(): Promise<Trouble | undefined> {
      if (trouble === undefined) return undefined
      probing ??= canWrite().finally(() => (probing = undefined))
      if (await probing) trouble = undefined
      return trouble
    },
  }
}
