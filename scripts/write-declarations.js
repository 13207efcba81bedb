import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fail, root, run } from './run.js'

// Writes the package's type declarations: those that its entries lead to, and no others.

const ENTRIES = ['index.d.ts', 'vitest.d.ts']
const OUT = join(root, 'dist', 'types')
const RELATIVE = /(from |import\()(['"])(\.[^'"]+)\.tsx?\2/g

const all = mkdtempSync(join(tmpdir(), 'paylink-types-'))
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
/** Where it finds the types of dependencies. */
const config = join(root, 'node_modules', '.paylink-types.json')
writeFileSync(
  config,
  JSON.stringify({
    extends: '../tsconfig.json',
    files: ENTRIES.map((name) => `../server/${name.replace('.d.ts', '.ts')}`),
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
  fail('The declarations failed, TypeScript says why above.')
}

rmSync(OUT, { recursive: true, force: true })
const found = new Set(ENTRIES.map((name) => join(all, name)))
for (const file of found) {
  const text = readFileSync(file, 'utf8')
  for (const [, , , path] of text.matchAll(RELATIVE)) found.add(`${resolve(dirname(file), path ?? '')}.d.ts`)
  const target = join(OUT, relative(all, file))
  mkdirSync(dirname(target), { recursive: true })
  // Whoever reads them may not take `.ts` for a declaration, and may have no `Symbol.asyncDispose` among its libraries.
  const needs = text.includes('Symbol.asyncDispose') ? '/// <reference lib="esnext.disposable" />\n' : ''
  writeFileSync(target, needs + text.replace(RELATIVE, '$1$2$3.js$2'))
}
rmSync(all, { recursive: true, force: true })
process.stdout.write(`Declarations: ${found.size} files\n`)
