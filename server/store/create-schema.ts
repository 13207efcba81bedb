import { eventFields } from '../domain/events/event-fields.ts'
import { hashDefinition } from './hash-definition.ts'
import { TABLES, tables } from './tables.ts'

/** How the tables of an empty database are created. */
export interface Schema {
  readonly statements: readonly string[]
  /** A hash of the whole definition, so that each definition has a different version. */
  readonly version: string
}

/** Reads the version of a database. The table is missing in a database of another program or of an older version. */
export const READ_VERSION = 'select "version" from "schemaVersion"'

/** If a database has these tables, it belongs to a sandbox of some version. */
const SANDBOX_TABLES = ['account', 'link', 'event']

/**
 * Returns a table of another program, to which the database then belongs. `undefined` if the database belongs to a sandbox of any
 * version.
 */
export const findForeignTable = (names: readonly string[]): string | undefined =>
  SANDBOX_TABLES.every((name) => names.includes(name))
    ? undefined
    : (names.find((name) => !SANDBOX_TABLES.includes(name)) ?? names[0])

/** `typeFor` returns the type of a column in the engine. `additions` are statements only for this engine. */
export function createSchema(
  typeFor: (type: string) => string = (type) => type,
  additions: readonly string[] = [],
): Schema {
  const statements = [...TABLES.flatMap((table) => createTable(table, typeFor)), ...additions]
  const version = hashDefinition([statements, eventFields])
  return {
    statements: [
      ...statements,
      'create table "schemaVersion" ("version" text not null)',
      `insert into "schemaVersion" values ('${version}')`,
    ],
    version,
  }
}

function createTable(name: (typeof TABLES)[number], typeFor: (type: string) => string): string[] {
  const { columns, key, unique = [], references = [], indexes = {} } = tables[name]
  const lines = [
    ...Object.entries<string>(columns).map(([column, type]) => `"${column}" ${typeFor(type)}`),
    `primary key (${list(key)})`,
    ...unique.map((names) => `unique (${list(names)})`),
    ...references.map(({ columns: own, table, to, isDeletedToo }) => {
      const onDelete = isDeletedToo ? ' on delete cascade' : ''
      return `foreign key (${list(own)}) references "${table}" (${list(to)})${onDelete}`
    }),
  ]
  return [
    `create table "${name}" (${lines.join(', ')})`,
    ...Object.entries(indexes).map(([index, { columns: indexed, where }]) => {
      const condition = where === undefined ? '' : ` where ${where}`
      return `create index "${index}" on "${name}" (${list(indexed)})${condition}`
    }),
  ]
}

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
