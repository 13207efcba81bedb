import { sql, type Kysely } from 'kysely'

/** Adds the blocks that accounts take their ids from, and the originals of accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('block')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('accountId', 'text', (column) => column.notNull().references('account.id'))
    .addColumn('place', 'integer', (column) => column.notNull())
    .addUniqueConstraint('blockOfAccount', ['accountId', 'place'])
    .execute()
  await db.schema
    .createTable('beginning')
    .addColumn('accountId', 'text', (column) => column.primaryKey().references('account.id'))
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('invoices', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('refundOfLink').on('refund').column('linkId').execute()

  // The originals of existing accounts were never recorded. Their current state is used, with the invoices that no
  // event issued.
  await sql`insert into "beginning" select "id", ${objectOf(ACCOUNT)}, (
    select json_group_array(json(${objectOf(INVOICE)})) from "invoice"
    where "invoice"."accountId" = "account"."id" and not exists (
      select 1 from "event" where "event"."accountId" = "account"."id" and "event"."type" = 'invoice.issued'
      and json_extract("event"."data", '$.invoice.sfId') = "invoice"."sfId"
    )
  ) from "account"`.execute(db)
}

const ACCOUNT = `account id name environment apiKey recipientToken paymentEndpoint callbackUrls webhookUrls
  billing bankTransfer serviceFee`
const INVOICE = `invoice sfId accountId invoiceId invoiceDate serviceMonth platformFee pspFee vat
  company name street houseNo zipcode city country createdAt`

/** A row as JSON, by the names of its table and columns. */
function objectOf(names: string) {
  const [table, ...columns] = names.split(/\s+/)
  return sql.raw(`json_object(${columns.map((name) => `'${name}', "${table}"."${name}"`).join(', ')})`)
}
