import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

/**
 * @typedef {import('../../server/openapi/document.ts').Document} Document
 * @typedef {import('../../server/openapi/document.ts').Method} Method
 * @typedef {import('../../server/openapi/document.ts').Operation} Operation
 */

/**
 * A document, and validation against any part of it.
 *
 * @typedef {object} Checked
 * @property {Document} document
 * @property {(value: unknown, ...place: string[]) => string[]} problemsOf What is wrong with a value, where the document
 *   has a schema for it at some place; empty where nothing is.
 * @property {(method: string, path: string) => { path: string, method: Method, operation: Operation, place: string[] } | undefined} operationAt
 *   The operation that a method and a path without query belong to, and its place in the document.
 */

/**
 * @param {Document} document
 * @returns {Checked}
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
    // Of what is put together from parts, none can say that nothing else may be there.
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
    operationAt(name, asked) {
      const method = /** @type {Method} */ (name.toLowerCase())
      const matching = listOperations(document).filter((one) => {
        const pattern = one.path.replaceAll(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')
        return one.method === method && new RegExp(`^${pattern}$`).test(asked)
      })
      // What is named stands before what is any.
      return matching.toSorted((one, other) => one.path.split('{').length - other.path.split('{').length)[0]
    },
  }
}

/**
 * The operations of a document, its WebSockets among them.
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
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  addFormats.default(ajv)
  return ajv.addSchema({ ...document, $id: 'document' })
}

/**
 * The document with all answers closed, so that nothing passes that it does not tell of.
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
