import addFormats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Document, Method, OperationObject } from '../../server/platform/openapi/document.ts'

/** An operation, and its place in the document. */
export interface ListedOperation {
  readonly path: string
  readonly method: Method
  readonly operation: OperationObject
  readonly place: readonly string[]
}

/** An OpenAPI document, and functions that validate values against its schemas. */
export interface DocumentChecker {
  readonly document: Document
  /** Validates a value against the schema at a place in the document. Returns the problems. */
  problemsOf(value: unknown, ...place: readonly string[]): string[]
  /** Finds the operation of a method and a path without query. */
  operationAt(method: string, path: string): ListedOperation | undefined
}

export function createDocumentChecker(document: Document): DocumentChecker {
  const closed = ajvFor(withClosedObjects(document))
  const open = ajvFor(document)
  const compiled = new Map<string, ValidateFunction>()

  function validatorAt(place: readonly string[]): ValidateFunction {
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const $ref = `document#/${pointer.join('/')}`
    const schema = place.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), document)
    // A part of an `allOf` does not know the properties of the other parts, so it cannot forbid additional ones.
    const ajv = (schema as { allOf?: unknown }).allOf ? open : closed
    const validate = compiled.get($ref) ?? ajv.compile({ $ref })
    compiled.set($ref, validate)
    return validate
  }

  return {
    document,
    problemsOf(value, ...place) {
      const validate = validatorAt(place)
      if (validate(value)) return []
      return (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      )
    },
    operationAt(name, path) {
      const matching = listOperations(document).filter((one) => {
        const pattern = one.path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')
        return one.method === name.toLowerCase() && new RegExp(`^${pattern}$`).test(path)
      })
      // A path without parameters takes precedence over one with parameters.
      return matching.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0]
    },
  }
}

/** Lists the operations of a document, including its WebSockets. */
export const listOperations = (document: Document): ListedOperation[] =>
  (['paths', 'x-sandbox-websockets'] as const).flatMap((part) =>
    Object.entries(document[part] ?? {}).flatMap(([path, item]) =>
      (Object.entries(item) as [Method, OperationObject][]).map(([method, operation]) => ({
        path,
        method,
        operation,
        place: [part, path, method],
      })),
    ),
  )

function ajvFor(document: object): Ajv2020 {
  // Without optimization, compiling takes half as long. Each schema validates only a few values.
  const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } })
  addFormats.default(ajv)
  return ajv.addSchema({ ...document, $id: 'document' })
}

/** Returns the document with closed objects, so that undocumented properties are problems. */
const withClosedObjects = (document: Document): Document =>
  JSON.parse(
    JSON.stringify(document, (_key, value: unknown) =>
      isOpenObject(value) ? { ...value, additionalProperties: false } : value,
    ),
  )

const isOpenObject = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'object' &&
  'properties' in value &&
  !('additionalProperties' in value)
