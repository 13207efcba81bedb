import { latestSchema } from '../migrations/latest-schema.evaluated.ts'
import { schemas } from '../migrations/migrate.ts'

/** The columns that SQLite numbers by itself. */
const COUNTED = [
  ['event', 'seq'],
  ['egressRule', 'id'],
] as const

/** The tables of the sandbox itself, which SQLite does not need: the process that leads, those that wait, and the snapshots. */
const OWN_TABLES = [
  `create table "leader" ("id" text primary key, "url" text, "sessionKey" text not null, "lastGroup" bigint not null default 0,
    "formerId" text, "formerLastGroup" bigint not null default 0)`,
  `create table "follower" ("pid" integer primary key, "startedAt" timestamptz not null, "url" text not null)`,
  `create table "snapshot" ("name" text collate "C" primary key, "id" text not null unique, "size" bigint not null,
    "metadata" text not null)`,
  `create table "snapshotPart" ("snapshot" text references "snapshot" ("id") on delete cascade, "part" bigint,
    "bytes" bytea not null, primary key ("snapshot", "part"))`,
]

const TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text collate "C"',
  blob: 'text collate "C"',
}

/**
 * The statements that create the latest schema in PostgreSQL, from those of SQLite. Text is compared by bytes, as in SQLite.
 * Bodies are stored as text, as `encodeValue` describes.
 */
export const createSchema: readonly string[] = [
  // The functions of SQLite that PostgreSQL lacks.
  `create function instr(text, text) returns integer language sql immutable strict parallel safe as 'select strpos($1, $2)'`,
  ...latestSchema.filter((statement) => statement.startsWith('CREATE ')).map(translate),
  ...schemas.map((name) => `insert into kysely_migration values ('${name}', now()::text)`),
  `insert into kysely_migration_lock (id) values ('migration_lock')`,
  // The order in which accounts were created. SQLite has this column in every table.
  `alter table "account" add column "rowid" bigint generated always as identity`,
  ...COUNTED.flatMap(([table, column]) => [
    `create function "next_${table}"() returns bigint language sql as 'select 1 + coalesce(max("${column}"), 0) from "${table}"'`,
    `alter table "${table}" alter column "${column}" set default "next_${table}"()`,
  ]),
  ...OWN_TABLES,
]

function translate(statement: string): string {
  if (!statement.startsWith('CREATE TABLE')) return statement
  return statement.replaceAll(/(?<=" )(integer|real|text|blob)\b/g, (type) => TYPES[type]!)
}
