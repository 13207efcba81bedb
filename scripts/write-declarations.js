import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { readOptions } from './read-options.js'
import { fail, root, run } from './run.js'

readOptions({
  command: 'node scripts/write-declarations.js',
  text: 'Writes the type declarations of the package to dist/types: only the files that its entry points import.',
  flags: {},
})

const ENTRIES = ['index.d.ts', 'playwright.d.ts', 'vitest.d.ts']
/** Types of packages that are not installed here. */
const AMBIENT = ['../server/package/playwright-test.d.ts']
const OUT = join(root, 'dist', 'types')
const RELATIVE = /(from |import\()(['"])(\.[^'"]+)\.tsx?\2/g

const all = mkdtempSync(join(tmpdir(), 'paylink-types-'))
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
/** In node_modules, so that TypeScript finds the types of the dependencies. */
const config = join(root, 'node_modules', '.paylink-types.json')
writeFileSync(
  config,
  JSON.stringify({
    extends: '../tsconfig.json',
    files: [...ENTRIES.map((name) => `../server/${name.replace('.d.ts', '.ts')}`), ...AMBIENT],
    include: [],
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: '../server',
      outDir: all,
    },
  }),
)
if (!run(process.execPath, [tsc, '--project', config])) {
  fail('The declarations could not be written. The output of TypeScript above says why.')
}

rmSync(OUT, { recursive: true, force: true })
const found = new Set(ENTRIES.map((name) => join(all, name)))
for (const file of found) {
  const text = readFileSync(file, 'utf8')
  for (const [, , , path] of text.matchAll(RELATIVE)) found.add(`${resolve(dirname(file), path ?? '')}.d.ts`)
  const target = join(OUT, relative(all, file))
  mkdirSync(dirname(target), { recursive: true })
  // A project may not resolve `.ts` to a declaration, and its `lib` may not contain `Symbol.asyncDispose`.
  const reference = text.includes('Symbol.asyncDispose') ? '/// <reference lib="esnext.disposable" />\n' : ''
  writeFileSync(target, reference + text.replace(RELATIVE, '$1$2$3.js$2'))
}
rmSync(all, { recursive: true, force: true })
process.stdout.write(`Declarations: ${found.size} files\n`)
