import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { runnerImport } from 'vite'
import { readOptions } from './read-options.js'
import { fail, root, run } from './run.js'

readOptions({
  command: 'node scripts/write-declarations.js',
  text: 'Writes the type declarations of the package to dist/types: only the files that its entry points import.',
  flags: {},
})

const ENTRIES = ['index', 'playwright', 'vitest']
/** Types of packages that are not installed here. */
const AMBIENT = ['../server/package/playwright-test.d.ts']
const OUT = join(root, 'dist', 'types')
const DISPOSABLE = 'disposable.d.ts'
const RELATIVE = /(from |import\()(['"])(\.[^'"]+)\.tsx?\2/g

const all = mkdtempSync(join(tmpdir(), 'paylink-types-'))
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
/** The file is in node_modules, so that TypeScript finds the types of the dependencies. */
const config = join(root, 'node_modules', '.paylink-types.json')
writeFileSync(
  config,
  JSON.stringify({
    extends: '../tsconfig.json',
    files: [...ENTRIES.map((name) => `../server/package/${name}.ts`), ...AMBIENT],
    include: [],
    compilerOptions: {
      noEmit: false,
      incremental: false,
      tsBuildInfoFile: null,
      declaration: true,
      emitDeclarationOnly: true,
      // Leaves out declarations that are marked `@internal`: their types would need those of all routes.
      stripInternal: true,
      rootDir: '../server',
      outDir: all,
    },
  }),
)
if (!run(process.execPath, [tsc, '--project', config])) {
  fail('The declarations could not be written. The output of TypeScript above says why.')
}

/**
 * @template Module
 * @param {string} file in `server/`
 * @returns {Promise<Module>}
 */
const load = async (file) =>
  (await runnerImport(join(root, 'server', file), { configFile: false, logLevel: 'warn' })).module

/** @type {typeof import('../server/runtime/config/options.ts')} */
const options = await load('runtime/config/options.ts')
/** @type {typeof import('../server/runtime/config/option-values.ts')} */
const optionValues = await load('runtime/config/option-values.ts')
/** @type {typeof import('../server/contract/checks/check-options.ts')} */
const checkOptions = await load('contract/checks/check-options.ts')

/** Adds the description of each option in exported tables as a comment, because editors show only comments. */
const commented = {
  [join(all, 'runtime', 'config', 'options.d.ts')]: (/** @type {string} */ text) =>
    addComments(text, options, optionValues.optionComment),
  [join(all, 'contract', 'checks', 'check-options.d.ts')]: (/** @type {string} */ text) =>
    addComments(text, checkOptions, (table, key) => checkOptions.checkOptionComment(table[key])),
}

/**
 * @param {string} text a declaration file
 * @param {Readonly<Record<string, unknown>>} tables
 * @param {(table: any, key: string) => string} describe
 */
const addComments = (text, tables, describe) =>
  text.replaceAll(/^export declare const (\w+): \{\n[^]*?^\}/gm, (table, name) =>
    table.replaceAll(
      /^ {4}(?:readonly )?(\w+):/gm,
      (line, key) => `    /** ${describe(tables[name], key).replaceAll('*/', '*\\/')} */\n${line}`,
    ),
  )

rmSync(OUT, { recursive: true, force: true })
/** The entry points lie at the top, so that the package's `exports` stay the same wherever their sources are. */
const places = new Map(
  ENTRIES.map((name) => [join(all, 'package', `${name}.d.ts`), join(OUT, `${name}.d.ts`)]),
)
const placeOf = (/** @type {string} */ file) => places.get(file) ?? join(OUT, relative(all, file))
const found = new Set(places.keys())
for (const file of found) {
  const declared = readFileSync(file, 'utf8')
  const text = commented[file]?.(declared) ?? declared
  const target = placeOf(file)
  // This type has a parameter only since TypeScript 5.7.
  const changed = text
    .replaceAll(/\bUint8Array<\w+>/g, 'Uint8Array')
    .replace(RELATIVE, (_, before, quote, path) => {
      const imported = `${resolve(dirname(file), path)}.d.ts`
      found.add(imported)
      const way = relative(dirname(target), placeOf(imported))
        .replaceAll('\\', '/')
        .replace(/\.d\.ts$/, '.js')
      return `${before}${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`
    })
  mkdirSync(dirname(target), { recursive: true })
  // A project may not resolve `.ts` to a declaration, and its `lib` may not contain `Symbol.asyncDispose`.
  const disposable = relative(dirname(target), join(OUT, DISPOSABLE)).replaceAll('\\', '/')
  const reference = text.includes('Symbol.asyncDispose') ? `/// <reference path="${disposable}" />\n` : ''
  writeFileSync(target, reference + changed)
}
// Before version 5.2, TypeScript has no library with these declarations. In later versions, they merge with those of the
// library.
writeFileSync(
  join(OUT, DISPOSABLE),
  `interface SymbolConstructor {
  readonly dispose: unique symbol
  readonly asyncDispose: unique symbol
}
interface Disposable {
  [Symbol.dispose](): void
}
interface AsyncDisposable {
  [Symbol.asyncDispose](): PromiseLike<void>
}
`,
)
rmSync(all, { recursive: true, force: true })
process.stdout.write(`Declarations: ${found.size} files\n`)
