/** How a database stores a field that is neither text nor a number: booleans as 0 and 1, lists and objects as JSON text. */
type EncodedFields<Entity> = {
  readonly [
    Name in keyof Entity as Entity[Name] extends string | number | null ? never : Name
  ]: Entity[Name] extends boolean ? 'boolean' : 'json'
}

/** The row of an entity. It has the same fields, and `null` stays `null`. */
export type RowOf<Entity> = {
  [Name in keyof Entity]: Entity[Name] extends string | number | null
    ? Entity[Name]
    : Entity[Name] extends boolean
      ? 0 | 1
      : null extends Entity[Name]
        ? string | null
        : string
}

interface RowCodec<Entity> {
  toRow(entity: Entity): RowOf<Entity>
  fromRow(row: RowOf<Entity>): Entity
}

/**
 * Converts between an entity and its row. `encoded` must list every field that is not stored as it is. The compiler checks this.
 * Kysely's `ParseJSONResultsPlugin` is not suitable, because it would turn a customer's note `[0]` into a list.
 */
export function createRowCodec<Entity extends object>(encoded: EncodedFields<Entity>): RowCodec<Entity> {
  const fields = Object.entries<'boolean' | 'json'>(encoded)
  const convert = (from: object, field: (encoding: 'boolean' | 'json', value: unknown) => unknown) => {
    const converted: Record<string, unknown> = { ...from }
    for (const [name, encoding] of fields) {
      if (converted[name] !== null) converted[name] = field(encoding, converted[name])
    }
    return converted
  }
  return {
    toRow: (entity) => convert(entity, encode) as RowOf<Entity>,
    fromRow: (row) => convert(row, decode) as Entity,
  }
}

const encode = (encoding: 'boolean' | 'json', value: unknown): unknown =>
  encoding === 'boolean' ? Number(value) : JSON.stringify(value)

const decode = (encoding: 'boolean' | 'json', value: unknown): unknown =>
  encoding === 'boolean' ? value === 1 : JSON.parse(value as string)
