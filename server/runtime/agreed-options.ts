import { cacheLast } from '../domain/text/cache-last.ts'
import { createHash, randomBytes, scryptSync } from 'node:crypto'
import { isPlainObject } from '../domain/text/is-object.ts'
import { DatabaseError } from '../store/database-error.ts'
import type { Leader } from '../store/engine.ts'
import type { SandboxSettings } from './config/read-options.ts'
import type { PreparedFiles } from './prepare.ts'

/** Options that must be equal in all replicas, because any replica can become leader. */
const SHOWN = [
  'keep',
  'publicUrl',
  'behaviors',
  'allowedHosts',
  'maps',
  'upstream',
  'allowProductionKey',
] as const
const SECRET = ['adminToken', 'tunnelTokens'] as const
/** Options that name files. Hashes of the contents are compared. */
const FILES = ['seed', 'calibration'] as const

type AgreedOption = (typeof SHOWN)[number] | (typeof SECRET)[number] | (typeof FILES)[number]
type Values = Readonly<Record<AgreedOption, string>>

/** What the leader stores about its options. Secrets are hashed with `salt`. */
interface StoredOptions {
  readonly salt: string
  readonly values: Values
}

const NOT_SET = 'not set'

/** Compares the options of this replica with those of the leader. */
export function createAgreement(
  settings: SandboxSettings,
  { initialState, calibration }: PreparedFiles,
  db: string,
) {
  const valuesWith = (salt: string): Values => {
    const comparable = { ...settings, maps: settings.maps.map(({ from, to }) => `${from}=${to}`) }
    const shown = SHOWN.map((key) => [key, toText(comparable[key])])
    const secret = SECRET.map((key) => [key, hashSecret(toText(settings[key]), salt)])
    const contents = { seed: initialState.seed, calibration }
    const files = FILES.map((key) => [key, hash(toText(contents[key]))])
    return Object.fromEntries([...shown, ...secret, ...files]) as Values
  }
  const salt = randomBytes(16).toString('base64url')
  const own: StoredOptions = { salt, values: valuesWith(salt) }

  // Cached, because hashing is slow, and the salt changes only with the leader.
  const differencesTo = cacheLast((options) => {
    const theirs = JSON.parse(options) as StoredOptions
    const values = valuesWith(theirs.salt)
    return (Object.keys(values) as AgreedOption[]).flatMap((key) => {
      // An older version of the sandbox may not have this option.
      const there = theirs.values[key] ?? NOT_SET
      return values[key] === there ? [] : [{ key, text: difference(key, values[key], there) }]
    })
  })

  return {
    options: JSON.stringify(own),
    /** Why this replica must not follow the leader. `undefined` if it may. */
    objectionTo({ url, options }: Leader): DatabaseError | undefined {
      if (options === null) return undefined
      const different = differencesTo(options)
      if (different.length === 0) return undefined
      return new DatabaseError((option) => {
        const list = different.map(({ key, text }) => `${option(key)} ${text}`)
        return `This replica cannot share database ${db} with the leader at ${url}, because they have different options: ${list.join('; ')}. Start all replicas with the same options. To change one, stop all replicas first.`
      })
    },
  }
}

function difference(key: AgreedOption, own: string, theirs: string): string {
  const isShown = SHOWN.some((one) => one === key)
  if (isShown) return `(here ${own}, there ${theirs})`
  if (own === NOT_SET || theirs === NOT_SET) return own === NOT_SET ? '(set only there)' : '(set only here)'
  return '(a different value)'
}

/** A text that is equal for equal values, even if the entries of objects have a different sequence. */
function toText(value: unknown): string {
  if (value === undefined || value === false) return NOT_SET
  if (Array.isArray(value))
    return toList(value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))))
  if (!isPlainObject(value)) return String(value)
  return toList(
    Object.entries(value).map(
      ([key, one]) => `${key}=${typeof one === 'string' ? one : JSON.stringify(one)}`,
    ),
  )
}

const toList = (entries: readonly string[]): string =>
  entries.length === 0 ? NOT_SET : entries.toSorted().join(', ')

const hash = (text: string): string =>
  text === NOT_SET ? NOT_SET : createHash('sha256').update(text).digest('base64url')

/** A slow hash, so that someone who reads the database cannot guess a token. */
const hashSecret = (text: string, salt: string): string =>
  text === NOT_SET ? NOT_SET : scryptSync(text, salt, 32).toString('base64url')
