/** How fields are stored that are neither text nor numbers: booleans as 0 or 1, lists and objects as JSON text. */
type EncodedFields<Entity> = {
  readonly [
    Name in keyof Entity as Entity[Name] extends string | number | null ? never : Name
  ]: Entity[Name] extends boolean ? 'boolean' : 'json'
}

/** The row of an entity. Has the same fields, and `null` stays `null`. */
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
 * Converts between an entity and its row. `encoded` must list every field that is not stored as it is, which the compiler checks.
 * Kysely's `ParseJSONResultsPlugin` is not suitable, because it would turn a customer's note `[0]` into a list.
 */
export function createRowCodec<Entity extends object>(encoded: EncodedFields<Entity>): RowCodec<Entity> {
  const fields = Object.entries<'boolean' | 'json'>(encoded)
  return {
    toRow(entity) {
      const row: Record<string, unknown> = { ...(entity as object) }
      for (const [name, encoding] of fields) {
        const value = row[name]
        if (value !== null) row[name] = encoding === 'boolean' ? Number(value) : JSON.stringify(value)
      }
      return row as RowOf<Entity>
    },
    fromRow(row) {
      const entity: Record<string, unknown> = { ...(row as object) }
      for (const [name, encoding] of fields) {
        const value = entity[name]
        if (value !== null) entity[name] = encoding === 'boolean' ? value === 1 : JSON.parse(value as string)
      }
      return entity as Entity
    },
  }
}
