import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../install-package.js'

/**
 * @typedef {object} Component
 * @property {string} bom-ref
 * @property {string} name
 * @property {string} version
 * @property {{ name: string, value: string }[]} [properties]
 */

const DEVELOPMENT = 'cdx:npm:package:development'

/**
 * Writes a CycloneDX SBOM of what users get: the packages that npm installs, and those that the build puts into the files of
 * the package. For npm, the latter are dependencies for development only, so `npm sbom --omit=dev` would leave them out.
 *
 * @param {string} root the folder of the project, after a build
 * @param {string} file
 */
export async function writeSbom(root, file) {
  const output = await npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], root)
  /** @type {{ metadata: { component: Component }, components: Component[], dependencies: { ref: string, dependsOn?: string[] }[] }} */
  const all = JSON.parse(output)
  const bundled = bundledPackages(root)
  const components = all.components.filter(
    (component) => !isForDevelopment(component) || bundled.has(component['bom-ref']),
  )
  const refs = new Set([all.metadata.component, ...components].map((component) => component['bom-ref']))
  const missing = [...bundled].filter((ref) => !refs.has(ref))
  if (missing.length > 0) throw new Error(`npm sbom does not list ${missing.join(', ')}.`)
  const { name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const sbom = {
    ...all,
    // npm uses the name of the folder instead.
    metadata: { ...all.metadata, component: { ...all.metadata.component, name } },
    components: components.map((component) => ({
      ...component,
      properties: component.properties?.filter((property) => property.name !== DEVELOPMENT),
    })),
    dependencies: all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  }
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`)
}

/** @param {Component} component */
const isForDevelopment = ({ properties = [] }) => properties.some(({ name }) => name === DEVELOPMENT)

/**
 * The packages in the built files, as `name@version`. The build lists them with their licenses.
 *
 * @param {string} root
 * @returns {Set<string>}
 */
function bundledPackages(root) {
  const dist = join(root, 'dist')
  const files = readdirSync(dist)
    .map((part) => join(dist, part, 'third-party-licenses.txt'))
    .filter(existsSync)
  const texts = files.flatMap((file) => readFileSync(file, 'utf8').split('\n\n---\n\n'))
  return new Set(texts.flatMap((text) => /^(\S+) (\S+), /.exec(text)?.slice(1, 3).join('@') ?? []))
}
