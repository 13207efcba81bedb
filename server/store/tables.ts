import { rareRows } from './rare-rows.ts'
import type { Database } from './schema.ts'

/**
 * The SQL type of a column. Without `not null`, the column may be null. A `blob` column stores valid UTF-8 as
 * text, and other bytes as they are.
 */
type ColumnType<Value> = null extends Value ? BaseType<NonNullable<Value>> : `${BaseType<Value>} not null`

type BaseType<Value> = Value extends number ? 'integer' | 'real' : [Value] extends [string] ? 'text' : 'blob'

/** Generated columns are never null. */
type StoredValue<Column> = Column extends { readonly __select__: infer Value } ? Value : Column

interface TableDefinition<Row> {
  readonly columns: { readonly [Name in keyof Row]: ColumnType<StoredValue<Row[Name]>> }
  readonly key: readonly (keyof Row & string)[]
  /** Columns, or combinations of columns, that are also unique. */
  readonly unique?: readonly (readonly (keyof Row & string)[])[]
  readonly references?: readonly Reference<keyof Row & string>[]
  readonly indexes?: Readonly<Record<string, Index<keyof Row & string>>>
}

interface Reference<Column extends string> {
  readonly columns: readonly Column[]
  readonly table: keyof Database
  readonly to: readonly string[]
  /** If set, the row is deleted together with the row that it refers to. */
  readonly isDeletedToo?: true
}

interface Index<Column extends string> {
  readonly columns: readonly Column[]
  /** Indexes only these rows. */
  readonly where?: string
}

const toAccount = { columns: ['accountId'], table: 'account', to: ['id'] } as const
const toLink = { columns: ['linkId'], table: 'link', to: ['id'] } as const
const toEvent = { columns: ['seq'], table: 'event', to: ['seq'], isDeletedToo: true } as const

/**
 * The tables of both engines, in the sequence of their creation. Rows refer only to rows of earlier tables. If a domain type gets
 * a new field, the code compiles only once the field has a column here.
 */
export const tables: { readonly [Table in keyof Database]: TableDefinition<Database[Table]> } = {
  meta: { columns: { key: 'text not null', value: 'text not null' }, key: ['key'] },

  account: {
    columns: {
      id: 'text not null',
      name: 'text not null',
      environment: 'text not null',
      apiKey: 'text not null',
      recipientToken: 'text not null',
      paymentEndpoint: 'text not null',
      callbackUrls: 'text not null',
      webhookUrls: 'text not null',
      billing: 'text not null',
      bankTransfer: 'integer not null',
      serviceFee: 'text not null',
    },
    key: ['id'],
    unique: [['apiKey'], ['recipientToken']],
  },

  link: {
    columns: {
      id: 'integer not null',
      payId: 'integer not null',
      accountId: 'text not null',
      amount: 'integer not null',
      note: 'text not null',
      status: 'text not null',
      kind: 'text not null',
      splitType: 'text not null',
      recipients: 'text not null',
      cancellable: 'integer not null',
      isQrLink: 'integer not null',
      bankTransfer: 'integer not null',
      bankStatementDescription: 'text not null',
      serviceFee: 'text not null',
      callbackUrl: 'text not null',
      paymentEndpoint: 'text not null',
      targets: 'text not null',
      paidBy: 'text',
      dispute: 'text',
      createdAt: 'text not null',
      paidAt: 'text',
    },
    key: ['id'],
    unique: [['payId']],
    references: [toAccount],
    indexes: {
      linkOfAccount: { columns: ['accountId', 'id'] },
      linkPaid: { columns: ['paidAt'], where: '"paidAt" is not null' },
      linkOfRareStatus: { columns: ['status', 'id'], where: rareRows.status },
      linkOfAccountAndRareStatus: { columns: ['accountId', 'status', 'id'], where: rareRows.status },
    },
  },

  refund: {
    columns: {
      payId: 'integer not null',
      linkId: 'integer not null',
      accountId: 'text not null',
      amount: 'integer not null',
      full: 'integer not null',
      state: 'text not null',
      requestedAt: 'text not null',
      decidedAt: 'text',
    },
    key: ['payId'],
    references: [toLink],
    indexes: {
      refundOfLink: { columns: ['linkId'] },
      refundOfAccount: { columns: ['accountId', 'payId'] },
    },
  },

  invoice: {
    columns: {
      sfId: 'text not null',
      accountId: 'text not null',
      invoiceId: 'text not null',
      invoiceDate: 'text not null',
      serviceMonth: 'text not null',
      platformFee: 'integer not null',
      pspFee: 'integer not null',
      vat: 'integer not null',
      company: 'text not null',
      name: 'text not null',
      street: 'text not null',
      houseNo: 'text not null',
      zipcode: 'text not null',
      city: 'text not null',
      country: 'text not null',
      createdAt: 'text not null',
    },
    key: ['sfId'],
    unique: [['invoiceId']],
    references: [toAccount],
    indexes: {
      invoiceOfAccount: { columns: ['accountId', 'serviceMonth', 'sfId'] },
      invoiceOfMonth: { columns: ['serviceMonth', 'sfId'] },
    },
  },

  delivery: {
    columns: {
      id: 'integer not null',
      accountId: 'text not null',
      linkId: 'integer not null',
      payId: 'integer not null',
      status: 'text not null',
      cause: 'text not null',
      target: 'text not null',
      reason: 'text not null',
      contentType: 'text not null',
      body: 'text not null',
      state: 'text not null',
      attempts: 'integer not null',
      possibleDuplicate: 'integer not null',
      replayOf: 'integer',
      createdAt: 'text not null',
      retries: 'text not null',
      nextAttemptAt: 'text',
      fault: 'text',
      allowedTo: 'text',
    },
    key: ['id'],
    references: [toLink],
    indexes: {
      deliveryOfLink: { columns: ['linkId', 'id'] },
      deliveryOfAccount: { columns: ['accountId', 'id'] },
      deliveryWaiting: {
        columns: ['target', 'nextAttemptAt', 'id'],
        where: rareRows.waiting,
      },
      deliveryDue: {
        columns: ['nextAttemptAt', 'id', 'state'],
        where: rareRows.waiting,
      },
      deliveryOfRareState: { columns: ['state', 'id'], where: rareRows.states },
    },
  },

  plan: {
    columns: {
      id: 'text not null',
      linkId: 'integer not null',
      steps: 'text not null',
      awaitsResponse: 'integer not null',
      redirect: 'text',
      afterRefund: 'text not null',
    },
    key: ['linkId'],
    references: [{ ...toLink, isDeletedToo: true }],
  },

  event: {
    columns: {
      seq: 'integer not null',
      at: 'text not null',
      type: 'text not null',
      accountId: 'text',
      linkId: 'integer',
      deliveryId: 'integer',
      data: 'text not null',
      exchange: 'text',
      requestBody: 'blob',
      responseBody: 'blob',
    },
    key: ['seq'],
    indexes: {
      eventOfAccount: { columns: ['accountId', 'seq'] },
      eventOfLink: { columns: ['linkId', 'seq'], where: '"linkId" is not null' },
      eventOfDelivery: { columns: ['deliveryId', 'seq'], where: '"deliveryId" is not null' },
      eventOfRareType: { columns: ['type', 'seq'], where: rareRows.types },
      eventOfAccountAndRareType: { columns: ['accountId', 'type', 'seq'], where: rareRows.types },
    },
  },

  behavior: {
    columns: { scope: 'text not null', name: 'text not null', value: 'text not null' },
    key: ['scope', 'name'],
  },

  formerKey: { columns: { apiKey: 'text not null' }, key: ['apiKey'] },

  idBlock: {
    columns: { number: 'integer not null', accountId: 'text not null', position: 'integer not null' },
    key: ['number'],
    unique: [['accountId', 'position']],
    references: [toAccount],
  },

  accountOriginal: {
    columns: { accountId: 'text not null', account: 'text not null', invoices: 'text not null' },
    key: ['accountId'],
    references: [toAccount],
  },

  fault: {
    columns: {
      id: 'integer not null',
      on: 'text not null',
      accountId: 'text',
      operation: 'text',
      target: 'text',
      script: 'text not null',
      times: 'integer',
      probability: 'real not null',
      seed: 'integer not null',
      matched: 'integer not null',
      triggered: 'integer not null',
      createdAt: 'text not null',
    },
    key: ['id'],
  },

  tunnel: {
    columns: {
      name: 'text not null',
      status: 'integer not null',
      headers: 'text not null',
      body: 'text not null',
      delayMs: 'integer not null',
    },
    key: ['name'],
  },

  capturedRequest: {
    columns: {
      seq: 'integer not null',
      tunnel: 'text not null',
      path: 'text not null',
      size: 'integer not null',
    },
    key: ['seq'],
    references: [toEvent],
    indexes: { captureOfTunnel: { columns: ['tunnel', 'seq', 'size'] } },
  },

  listener: {
    columns: {
      tunnel: 'text not null',
      id: 'text not null',
      to: 'text not null',
      connections: 'integer not null',
      dropped: 'integer not null',
      connectedAt: 'text not null',
      awaySince: 'text',
    },
    key: ['tunnel', 'id'],
  },

  pendingRequest: {
    columns: {
      tunnel: 'text not null',
      listener: 'text not null',
      seq: 'integer not null',
      connection: 'integer not null',
    },
    key: ['tunnel', 'listener', 'seq'],
    references: [
      { columns: ['seq'], table: 'capturedRequest', to: ['seq'], isDeletedToo: true },
      { columns: ['tunnel', 'listener'], table: 'listener', to: ['tunnel', 'id'], isDeletedToo: true },
    ],
    indexes: { waitingSeq: { columns: ['seq'] } },
  },

  egressRule: {
    columns: { id: 'integer not null', from: 'text not null', to: 'text', source: 'text not null' },
    key: ['id'],
    unique: [['from']],
  },
}

/** The names of all tables, in the sequence of their creation. */
export const TABLES = Object.keys(tables) as (keyof Database)[]

/** The key column of a table, if the key is one number. All tables that can become large have such a key. */
export function numberKeyOf(table: keyof Database): string | undefined {
  const { columns, key }: { columns: object; key: readonly string[] } = tables[table]
  const [name = ''] = key
  return key.length === 1 && Reflect.get(columns, name) === 'integer not null' ? name : undefined
}
