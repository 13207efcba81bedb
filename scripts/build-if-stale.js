import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fail, root, run } from './run.js'

const SOURCES = [
  'server',
  'ui',
  'fixtures',
  'package.json',
  'package-lock.json',
  'vite.config.ts',
  'tsconfig.json',
  'scripts/size-budgets.js',
  'scripts/bundle-dependencies.js',
  'scripts/write-seed-schema.js',
  'scripts/inline-report.js',
  'scripts/evaluate-at-build.js',
  'scripts/inject-globals.js',
  'scripts/write-declarations.js',
]
const BUILT = [
  'dist/server/cli.js',
  'dist/server/index.js',
  'dist/server/playwright.js',
  'dist/server/sandbox.js',
  'dist/server/vitest.js',
  'dist/seed.schema.json',
  'dist/ui/index.html',
  'dist/report/index.html',
]

const DECLARATIONS = ['dist/types/index.d.ts', 'dist/types/playwright.d.ts', 'dist/types/vitest.d.ts']

/** Builds the inspector and the server if a source is newer than the last build. */
export function buildIfStale() {
  if (!isStale(BUILT)) return
  process.stderr.write('Building.\n')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  // A test runner sets its own NODE_ENV, which would become part of the build.
  const env = { ...process.env, NODE_ENV: 'production' }
  if (!run(process.execPath, [vite, 'build', '--logLevel', 'warn'], { env }))
    fail('The build failed. The output of Vite above says why.')
}

/** Does the parts of `npm run build` whose sources are newer than the last build. */
export function buildPackageIfStale() {
  buildIfStale()
  if (!isStale(DECLARATIONS)) return
  const written = run(process.execPath, [join(root, 'scripts', 'write-declarations.js')])
  if (!written) fail('The declarations could not be written. The output above says why.')
}

/**
 * @param {readonly string[]} files
 * @returns {boolean} whether one of the built files is missing, or older than a source
 */
function isStale(files) {
  const built = files.map((file) => join(root, file))
  if (!built.every(existsSync)) return true
  const oldest = Math.min(...built.map(modifiedAt))
  return Math.max(...SOURCES.map((name) => newestModification(join(root, name)))) >= oldest
}

/**
 * @param {string} path
 * @returns {number}
 */
const modifiedAt = (path) => statSync(path).mtimeMs

/**
 * @param {string} path
 * @returns {number}
 */
function newestModification(path) {
  if (!existsSync(path)) return 0
  if (!statSync(path).isDirectory()) return modifiedAt(path)
  return Math.max(modifiedAt(path), ...readdirSync(path).map((name) => newestModification(join(path, name))))
}
