import { createSchema } from '../create-schema.ts'

/** Text is compared by bytes, as in SQLite. Bodies are stored as text; see `encodeValue`. */
const TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text collate "C"',
  blob: 'text collate "C"',
}

export const LEADER_INDEX = 'oneLeader'

/** The schema for PostgreSQL. It also has tables for the leader, the followers and the snapshots, which SQLite does not need. */
export const postgresSchema = createSchema(
  (type) => type.replace(/^\w+/, (name) => TYPES[name]!),
  [
    // A function of SQLite that PostgreSQL does not have.
    `create function instr(text, text) returns integer language sql immutable strict parallel safe as 'select strpos($1, $2)'`,
    // Most calls have just over 2 kB, which the server would compress. That takes a fifth of the time of the insert.
    'alter table "event" set (toast_tuple_target = 8160)',
    // Stores in which sequence accounts were created. In SQLite, every table has such a column.
    `alter table "account" add column "rowid" bigint generated always as identity`,
    // In SQLite, these rows have numbers anyway.
    `create function "nextRule"() returns bigint language sql as 'select 1 + coalesce(max("id"), 0) from "egressRule"'`,
    `alter table "egressRule" alter column "id" set default "nextRule"()`,
    `create table "leader" ("id" text primary key, "url" text, "options" text, "version" text, "sessionKey" text not null, "lastGroup" bigint not null default 0,
      "history" text, "formerId" text, "formerLastGroup" bigint not null default 0)`,
    // Prevents a backup from adding a second row if it is restored while a sandbox is running.
    `create unique index "${LEADER_INDEX}" on "leader" ((true))`,
    `create table "follower" ("pid" integer primary key, "startedAt" timestamptz not null, "url" text not null,
      "version" text not null)`,
    `create table "snapshot" ("name" text collate "C" primary key, "id" text not null unique, "size" bigint not null,
      "metadata" text not null)`,
    `create table "snapshotPart" ("snapshot" text references "snapshot" ("id") on delete cascade, "part" bigint,
      "bytes" bytea not null, primary key ("snapshot", "part"))`,
  ],
)
