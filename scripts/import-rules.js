import { readdirSync } from 'node:fs'
import { posix } from 'node:path'

/**
 * The row of a folder. All values are names separated by spaces. `oxlint.config.js` explains them.
 *
 * @typedef {{ imports: string, types?: string, not?: string, without?: string }} Row
 */

/** @typedef {Record<string, Row>} Table */

/**
 * What the files of a folder must not import: places of the repository, places of which only types are allowed, libraries, and
 * names.
 *
 * @typedef {{ forbidden: string[], typesOnly: string[], libraries: string[], names?: Names }} Limits
 */

/**
 * Names that must not be imported from a file, and why.
 *
 * @typedef {{ file: string, names: string[], message: string }} Names
 */

/** The import paths of the libraries in the tables. */
/** @type {Record<string, string[]>} */
const LIBRARIES = {
  node: ['node:*'],
  hono: ['hono', 'hono/**', '@hono/**'],
  kysely: ['kysely'],
  zod: ['zod'],
  sqlite: ['better-sqlite3'],
  undici: ['undici'],
  ws: ['ws'],
}

/**
 * Turns the tables into overrides for oxlint.
 *
 * `timeFormats`: what only the first of the shared folders may import.
 *
 * @param {{ folders: Table, innerFolders: Table, inspector: Row, sharedByScreens: string[], timeFormats: Names }} tables
 */
export function rulesForImports({ folders, innerFolders, inspector, sharedByScreens, timeFormats }) {
  const names = Object.keys(folders)

  /** @param {Row} row */
  function limitsOf({ imports, types, without }, self = '') {
    const named = words(`${self} ${imports} ${types ?? ''}`).map((place) => place.split('/', 1)[0] ?? '')
    return {
      forbidden: names.filter((outer) => !named.includes(outer)).map(inServer),
      typesOnly: words(types).map(inServer),
      libraries: words(without),
    }
  }

  /**
   * @param {string} inner
   * @param {Row} row
   */
  function limitsOfInner(inner, { imports, not, types, without }) {
    const [outer = '', name = ''] = inner.split('/')
    const row = folders[outer]
    if (!row) throw new Error(`${inner}: there is no folder ${outer}.`)
    const limits = limitsOf(row, outer)
    const allowed = [name, ...words(imports), ...words(types).map((place) => place.replace(`${outer}/`, ''))]
    const neighbors = entriesOf(`server/${outer}`).filter((entry) => !allowed.includes(entry))
    return {
      forbidden: [
        ...limits.forbidden,
        ...words(not).map(inServer),
        ...neighbors.map((entry) => inServer(`${outer}/${entry}`)),
      ],
      typesOnly: [...limits.typesOnly, ...words(types).map(inServer)],
      libraries: [...limits.libraries, ...words(without)],
    }
  }

  /** @param {string} folder */
  function limitsOfShared(folder) {
    const limits = limitsOf(inspector)
    const allowed = sharedByScreens.slice(0, sharedByScreens.indexOf(folder) + 1)
    const others = entriesOf('ui').filter((entry) => !allowed.includes(entry) && !entry.includes('.'))
    return {
      ...limits,
      forbidden: [...limits.forbidden, ...others.map((entry) => `ui/${entry}`)],
      ...(folder !== sharedByScreens[0] && { names: timeFormats }),
    }
  }

  return [
    ...Object.entries(folders).flatMap(([outer, row]) => overridesFor(inServer(outer), limitsOf(row, outer))),
    ...Object.entries(innerFolders).flatMap(([inner, row]) =>
      overridesFor(inServer(inner), limitsOfInner(inner, row)),
    ),
    ...overridesFor('ui', { ...limitsOf(inspector), names: timeFormats }),
    ...sharedByScreens.flatMap((folder) => overridesFor(`ui/${folder}`, limitsOfShared(folder))),
  ]
}

/**
 * One override for each depth below a folder, because a rule compares import paths as they are written: `../store/store.ts` in one
 * folder is `../../store/store.ts` in the folders below it.
 *
 * @param {string} folder
 * @param {Limits} limits
 */
const overridesFor = (folder, { forbidden, typesOnly, libraries, names }) =>
  ['', '/*', '/*/*'].map((below) => {
    const toPattern = (/** @type {string} */ place) => {
      const path = posix.relative(folder + below, place)
      return /\.tsx?$/.test(place) ? path : `${path}/**`
    }
    const patterns = [
      { group: forbidden.map(toPattern), message: `${folder} must not import this file.` },
      {
        group: typesOnly.map(toPattern),
        allowTypeImports: true,
        message: `${folder} may import only types from this file.`,
      },
      {
        group: libraries.flatMap((library) => LIBRARIES[library] ?? []),
        message: `${folder} must not use this library.`,
      },
      ...(names
        ? [{ group: [toPattern(names.file)], importNames: names.names, message: names.message }]
        : []),
    ]
    return {
      files: [`${folder}${below}/*`],
      rules: {
        'no-restricted-imports': ['error', { patterns: patterns.filter(({ group }) => group.length > 0) }],
      },
    }
  })

const words = (text = '') => text.split(' ').filter(Boolean)

const inServer = (/** @type {string} */ place) => `server/${place}`

const entriesOf = (/** @type {string} */ folder) => readdirSync(new URL(`../${folder}`, import.meta.url))
