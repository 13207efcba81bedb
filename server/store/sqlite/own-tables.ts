/**
 * Lists the tables that the migrations made, in the order of their creation. Rows refer only to rows of earlier
 * tables.
 */
export const LIST_OWN_TABLES = `select name from sqlite_master where type = 'table'
  and name not like 'sqlite!_%' escape '!' and name not like 'kysely!_%' escape '!' order by rowid`
