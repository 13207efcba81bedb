import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

/**
 * @typedef {import('../../server/platform/openapi/document.ts').Document} Document
 * @typedef {import('../../server/platform/openapi/document.ts').Method} Method
 * @typedef {import('../../server/platform/openapi/document.ts').Operation} Operation
 */

/**
 * An OpenAPI document, and validation against its schemas.
 *
 * @typedef {object} DocumentChecker
 * @property {Document} document
 * @property {(value: unknown, ...place: string[]) => string[]} problemsOf Validates a value against the schema at a place in
 *   the document. Returns the problems.
 * @property {(method: string, path: string) => { path: string, method: Method, operation: Operation, place: string[] } | undefined} operationAt
 *   Finds the operation of a method and a path without query, and its place in the document.
 */

/**
 * @param {Document} document
 * @returns {DocumentChecker}
 */
export function createDocumentChecker(document) {
  const closed = ajvFor(withClosedObjects(document))
  const open = ajvFor(document)
  /** @type {Map<string, import('ajv').ValidateFunction>} */
  const compiled = new Map()

  /** @param {readonly string[]} place */
  function validatorAt(place) {
    const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    const $ref = `document#/${pointer.join('/')}`
    const schema = place.reduce(
      (/** @type {unknown} */ inner, step) => Reflect.get(Object(inner), step),
      document,
    )
    // A part of an `allOf` does not know the properties of the other parts, so it cannot forbid additional ones.
    const ajv = /** @type {{ allOf?: unknown }} */ (schema).allOf ? open : closed
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
      const method = /** @type {Method} */ (name.toLowerCase())
      const matching = listOperations(document).filter((one) => {
        const pattern = one.path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')
        return one.method === method && new RegExp(`^${pattern}$`).test(path)
      })
      // A path without parameters takes precedence over one with parameters.
      return matching.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0]
    },
  }
}

/**
 * Lists the operations of a document, including its WebSockets.
 *
 * @param {Document} document
 */
export const listOperations = (document) =>
  /** @type {const} */ (['paths', 'x-sandbox-websockets']).flatMap((part) =>
    Object.entries(document[part] ?? {}).flatMap(([path, item]) =>
      Object.entries(item).map(([name, operation]) => {
        const method = /** @type {Method} */ (name)
        return { path, method, operation, place: [part, path, method] }
      }),
    ),
  )

/** @param {object} document */
function ajvFor(document) {
  // Without optimization, compiling takes half as long. Each schema validates only a few values.
  const ajv = new Ajv2020({ strict: false, allErrors: false, code: { optimize: false } })
  addFormats.default(ajv)
  return ajv.addSchema({ ...document, $id: 'document' })
}

/**
 * Returns the document with closed objects, so that undocumented properties are problems.
 *
 * @param {Document} document
 * @returns {Document}
 */
const withClosedObjects = (document) =>
  JSON.parse(
    JSON.stringify(document, (_key, /** @type {unknown} */ value) =>
      isOpenObject(value) ? { ...value, additionalProperties: false } : value,
    ),
  )

/**
 * @param {unknown} value
 * @returns {value is object}
 */
const isOpenObject = (value) =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'object' &&
  'properties' in value &&
  !('additionalProperties' in value)
