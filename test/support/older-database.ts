/** Takes away what the migrations from 005 on made, as if they had not run. */
export const TAKE_BACK = [
  'drop table "block"',
  'drop table "beginning"',
  'drop index "refundOfLink"',
  'drop index "deliveryDue"',
  'drop index "deliveryWaiting"',
  'alter table delivery drop column "dueAt"',
  'alter table delivery drop column "retries"',
  `create index "deliveryWaiting" on delivery (target, id) where state in ('pending', 'underway')`,
  'drop index "eventDiagnostic"',
  'drop table "fault"',
  'alter table delivery drop column "fault"',
  'drop index "deliveryOrder"',
  'alter table delivery drop column "order"',
  'alter table delivery drop column "redirect"',
  'drop table "pin"',
].join('; ')
