import SQLite from 'better-sqlite3'
import seed from '../../fixtures/seed.json' with { type: 'json' }

/**
 * Adds recorded calls to the database of a stopped sandbox, as after weeks of use. One in ten is refused.
 *
 * @param {string} file
 * @param {number} calls
 */
export function fillJournal(file, calls) {
  const db = new SQLite(file)
  db.prepare(
    `insert into event (at, type, accountId, linkId, deliveryId, data, exchange)
     with recursive call (n) as (select 1 union all select n + 1 from call where n < @calls)
     select strftime('%Y-%m-%dT%H:%M:%fZ', 1790000000 + n, 'unixepoch'), 'api.request', @account, null, null,
       json_object('type', 'api.request', 'accountId', @account, 'linkId', null, 'payId', null,
         'operation', 'createSplitLink', 'method', 'POST', 'path', '/api/v2/createSplitLink', 'status', 200,
         'code', iif(n % 10, 1, 0),
         'message', iif(n % 10, 'Link has been created successfully', 'Please enter amount'),
         'ms', n % 50, 'assumed', json_array()), null
     from call`,
  ).run({ calls, account: seed.accounts[0]?.id })
  db.close()
}
