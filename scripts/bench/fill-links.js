import SQLite from 'better-sqlite3'

/**
 * Adds copies of the newest link to the database of a stopped sandbox, with the ids that follow.
 *
 * @param {string} file
 * @param {number} count
 * @returns {{ first: number, last: number }} their ids, which equal their pay_ids
 */
export function fillLinks(file, count) {
  const db = new SQLite(file)
  const newest = Number(db.prepare('select max(id) from link').pluck().get())
  const columns = /** @type {{ name: string }[]} */ (db.pragma('table_info(link)')).map(
    ({ name }) => `"${name}"`,
  )
  const copied = columns.map((name) => (['"id"', '"payId"'].includes(name) ? `${name} + copy.n` : name))
  db.prepare(
    `insert into link (${columns.join(', ')})
     with recursive copy (n) as (select 1 union all select n + 1 from copy where n < @count)
     select ${copied.join(', ')} from copy, link where link.id = @newest`,
  ).run({ count, newest })
  db.close()
  return { first: newest + 1, last: newest + count }
}
