import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { runCommand, npm } from './install-package.js'
import { root } from './run.js'
import { setUp } from './setup.js'

/** Of one version each, so that a release of theirs breaks nothing here. They come from the registry for this alone. */
const PUBLINT = 'publint@0.3.25'
const TYPES_CHECKER = '@arethetypeswrong/cli@0.18.5'

const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`)

/** Has others look over the package as it would be published: its manifest, its types, its dependencies. */
export async function auditPackage() {
  await setUp()
  buildIfStale()
  await runCommand(process.execPath, ['scripts/write-declarations.js'], root)
  const folder = mkdtempSync(join(tmpdir(), 'paylink-vet-'))
  try {
    await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
    const [tarball = ''] = readdirSync(folder)
    say(`${tarball}: ${Math.round(statSync(join(folder, tarball)).size / 1000)} kB`)
    await npm(['exec', '--yes', '--', PUBLINT, 'run', `./${tarball}`, '--strict'], folder)
    say(`${PUBLINT}: nothing wrong`)
    await npm(['exec', '--yes', '--', TYPES_CHECKER, `./${tarball}`, '--profile', 'esm-only'], folder)
    say(`${TYPES_CHECKER}: nothing wrong`)
    await auditDependencies()
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What is known against the dependencies, where the registry says. Not every one does. */
async function auditDependencies() {
  try {
    await npm(['audit', '--omit=dev', '--json'], root)
    say('npm audit: nothing known')
  } catch (error) {
    if (String(error).includes('"auditReportVersion"')) throw error
    say('npm audit: the registry gave no answer, so nobody has looked for advisories')
  }
}
