/** The major version of better-sqlite3 in the lock file. It runs on Node 20, but npm has to download or to compile its SQLite. */
export const LOCKED_SQLITE = 12

/**
 * The major version of better-sqlite3 for a Node. Version 13 contains SQLite for all usual machines, but crashes a Node without
 * Node-API 10. Version 12 crashes Node 24 if it is compiled there. `server/store/sqlite/installed-sqlite.ts` refuses both.
 *
 * @param {{ node: string, napi?: string | undefined }} versions from `process.versions`
 */
export const sqliteMajorFor = ({ napi }) => (Number(napi) >= 10 ? 13 : LOCKED_SQLITE)
