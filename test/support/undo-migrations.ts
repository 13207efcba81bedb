const rename = (table: string, column: string, before: string, now: string): string =>
  `update ${table} set "${column}" = replace("${column}", '${now}', '${before}')`

const restoreBody = (message: 'request' | 'response'): string =>
  `update event set exchange = json_set(json_remove(exchange, '$.${message}.size'), '$.${message}.body', json_object(
    'encoding', 'utf8', 'content', ${message}Body, 'size', exchange -> '$.${message}.size'
  )) where ${message}Body is not null`

/** Undoes the migrations from 016 on, except for bodies that are not text. */
export const UNDO_RENAMES = [
  'drop index "eventOfRareType"',
  'drop index "linkOfRareStatus"',
  'create index "eventOfType" on event ("type", "seq")',
  'create index "linkOfStatus" on link ("status", "id")',
  restoreBody('request'),
  restoreBody('response'),
  'alter table event drop column "requestBody"',
  'alter table event drop column "responseBody"',
  'alter table "idBlock" rename column "position" to "place"',
  'alter table "capturedRequest" rename column "path" to "lane"',
  ...(
    [
      ['block', 'idBlock'],
      ['beginning', 'accountOriginal'],
      ['outlet', 'egressRule'],
      ['capture', 'capturedRequest'],
      ['waiting', 'pendingRequest'],
    ] as const
  ).map(([before, now]) => `alter table "${now}" rename to "${before}"`),
  ...(
    [
      ['swept', 'lastDeletedDelivery'],
      ['sweptLinks', 'lastDeletedLink'],
      ['faults', 'lastDeletedFault'],
      ['sweeps', 'deletions'],
    ] as const
  ).map(([before, now]) => `update meta set "key" = '${before}' where "key" = '${now}'`),
  rename('event', 'data', '"door":', '"entryPoint":'),
  rename('event', 'data', '"carried":', '"capturedDeliveryId":'),
  rename('event', 'data', '"of":', '"eventSeq":'),
  'alter table fault rename column "matched" to "asked"',
  'alter table fault rename column "triggered" to "struck"',
  ...(
    [
      ['transfer.announced', 'bank_transfer.initiated'],
      ['transfer.rejected', 'bank_transfer.rejected'],
      ['page.shown', 'checkout.viewed'],
      ['call.answered', 'api.request'],
      ['call.limited', 'api.limited'],
      ['receiver.probed', 'check.sent'],
      ['tunnel.emptied', 'tunnel.cleared'],
      ['listener.missed', 'listener.overflowed'],
    ] as const
  ).flatMap(([before, now]) => [
    rename('event', 'type', before, now),
    rename('event', 'data', `"type":"${before}"`, `"type":"${now}"`),
  ]),
  ...(
    [
      ['because', 'reason'],
      ['dueAt', 'nextAttemptAt'],
      ['mayRepeat', 'possibleDuplicate'],
    ] as const
  ).flatMap(([before, now]) => [
    `alter table delivery rename column "${now}" to "${before}"`,
    rename('event', 'data', `"${before}":`, `"${now}":`),
  ]),
  rename('event', 'data', '"reason":', '"heldReason":'),
  rename('link', 'targets', '"because":', '"reason":'),
  ...(
    [
      ['"ok"', '"pass"'],
      ['"cut', '"truncate'],
      ['"reset:before"', '"drop-request"'],
    ] as const
  ).flatMap(([before, now]) => [
    rename('fault', 'script', before, now),
    `${rename('event', 'data', before, now)} where type = 'fault.added' or instr(data, '"effect":${now}') > 0`,
  ]),
].join('; ')

/** Undoes the migrations from 005 on. */
export const UNDO_MIGRATIONS = [
  UNDO_RENAMES,
  'drop table "block"',
  'drop table "beginning"',
  'drop index "refundOfLink"',
  'drop index "deliveryDue"',
  'drop index "deliveryWaiting"',
  'alter table delivery drop column "dueAt"',
  'alter table delivery drop column "retries"',
  `create index "deliveryWaiting" on delivery (target, id) where state in ('pending', 'underway')`,
  'drop index "eventOfType"',
  'drop index "linkOfStatus"',
  'drop table "fault"',
  'alter table delivery drop column "fault"',
  'drop index "deliveryOrder"',
  'alter table delivery drop column "order"',
  'alter table delivery drop column "redirect"',
  'drop table "outlet"',
  'drop table "pin"',
  'alter table delivery drop column "releasedTo"',
  'alter table delivery add column "released" integer not null default 0',
  'drop table "waiting"',
  'drop table "listener"',
  'drop table "capture"',
  'drop table "tunnel"',
].join('; ')
