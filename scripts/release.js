import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './install-package.js'
import { readOptions } from './read-options.js'
import { writeChecksums } from './release/checksums.js'
import { releaseNotes } from './release/notes.js'
import { whyNotReady } from './release/readiness.js'
import { writeSbom } from './release/sbom.js'
import { fail, root, run } from './run.js'
import { setUp } from './setup.js'

const { 'dry-run': isDryRun = false } = readOptions({
  command: 'npm run release --',
  text: 'Builds the artifacts of a release in release/: the package, its SBOM, the notes, the image, and their checksums. Does not publish them: the workflow release.yml does.',
  flags: {
    'dry-run': {
      type: 'boolean',
      text: 'Builds them even if the release is not ready, and lists what is missing.',
    },
  },
})

const print = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`)

setUp()
const { name, version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const open = whyNotReady({
  version,
  repository,
  changelog,
  tags: git('tag', '--points-at', 'HEAD'),
  changes: git('status', '--porcelain'),
})
if (open.length > 0 && !isDryRun)
  fail(`The release is not ready. Nothing was built.\n${open.map((one) => `- ${one}`).join('\n')}`)

const folder = join(root, 'release')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
print('Building.')
await npm(['run', 'build'], root)
print('Packing.')
await npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
print('Listing the packages in it.')
await writeSbom(root, join(folder, `${name}-${version}.cdx.json`))
writeFileSync(join(folder, 'notes.md'), releaseNotes(changelog, version))
const image = buildImage(join(folder, `${name}-${version}-image.tar`))
for (const { file, bytes, sha256 } of await writeChecksums(folder)) {
  print(`${sha256}  ${file}  ${(bytes / 1e6).toFixed(2)} MB`)
}
if (image !== undefined) print(image)
if (open.length > 0) print(`Before the release:\n${open.map((one) => `- ${one}`).join('\n')}`)

/**
 * Builds the image for both architectures, as an archive that is not pushed.
 *
 * @param {string} file
 * @returns {string | undefined} why there is no image
 */
function buildImage(file) {
  if (spawnSync('docker', ['buildx', 'inspect', '--bootstrap'], { stdio: 'ignore' }).status !== 0) {
    return 'The image was not built, because Docker with buildx does not answer.'
  }
  print('Building the image.')
  const platforms = ['--platform', 'linux/amd64,linux/arm64']
  if (run('docker', ['buildx', 'build', ...platforms, '--output', `type=oci,dest=${file}`, '.']))
    return undefined
  return fail('The image could not be built. The output of Docker above says why.')
}

/** @param {readonly string[]} args */
function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
}
