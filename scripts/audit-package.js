import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { runCommand, npm } from './install-package.js'
import { root } from './run.js'
import { setUp } from './setup.js'

/** The versions are pinned, so that a new release cannot break this script. `npm exec` runs them. */
const PUBLINT = 'publint@0.3.25'
const TYPES_CHECKER = '@arethetypeswrong/cli@0.18.5'

const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`)

/** Checks the package as it would be published: its manifest, its types and its dependencies. */
export async function auditPackage() {
  setUp()
  buildIfStale()
  await runCommand(process.execPath, ['scripts/write-declarations.js'], root)
  const folder = mkdtempSync(join(tmpdir(), 'paylink-vet-'))
  try {
    await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
    const [tarball = ''] = readdirSync(folder)
    print(`${tarball}: ${Math.round(statSync(join(folder, tarball)).size / 1000)} kB`)
    await npm(['exec', '--yes', '--', PUBLINT, 'run', `./${tarball}`, '--strict'], folder)
    print(`${PUBLINT}: no problems`)
    await npm(['exec', '--yes', '--', TYPES_CHECKER, `./${tarball}`, '--profile', 'esm-only'], folder)
    print(`${TYPES_CHECKER}: no problems`)
    await auditDependencies()
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Looks up advisories about the dependencies. Not every registry has them. */
async function auditDependencies() {
  try {
    await npm(['audit', '--omit=dev', '--json'], root)
    print('npm audit: no advisories')
  } catch (error) {
    if (String(error).includes('"auditReportVersion"')) throw error
    print('npm audit: not checked, because the registry has no advisories')
  }
}
