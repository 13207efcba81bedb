import { createHash } from 'node:crypto'
import * as accounts from '../../../store/repositories/accounts.ts'
import type { UnitOfWork } from '../../../store/store.ts'

/** The name of a new account if none is given: `Account <n>` with the smallest free number. */
export async function nextAccountName({ db }: UnitOfWork): Promise<string> {
  const taken = new Set(await accounts.names(db))
  for (let number = 1; ; number++) if (!taken.has(`Account ${number}`)) return `Account ${number}`
}

/** The id of a new account, derived from its name. If the id is taken, a number is added. */
export async function nextAccountId({ db }: UnitOfWork, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const id = nameBasedUuid(number === 1 ? name : `${name}\n${number}`)
    if (!(await accounts.find(db, id))) return id
  }
}

const NAMESPACE = Buffer.from('8a1f0f3c2f5b4c0e9d3f6a7b1c2d4e5f', 'hex')

/** Derives a UUID from a text: version 5 of RFC 9562. */
export function nameBasedUuid(text: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(text).digest()
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
