import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.js'

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * Bundles the packages that the server needs, because one file loads faster than the hundreds of files of some packages.
 * Native and rarely used packages stay dependencies. Writes the licenses of all bundled packages to a file next to the
 * bundle, as the licenses require.
 *
 * @returns {import('vite').Plugin}
 */
export function bundleDependencies() {
  return {
    name: 'bundled',
    apply: 'build',
    configEnvironment(name) {
      if (name !== 'ssr') return undefined
      return {
        resolve: { noExternal: true, external: Object.keys({ ...dependencies, ...peerDependencies }) },
      }
    },
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? Object.entries(file.modules) : [],
      )
      const folders = modules.flatMap(([id, { renderedLength }]) =>
        renderedLength > 0 ? packageFolder(id) : [],
      )
      const source = [...new Set(folders)].toSorted().map(licenseText).join('\n\n---\n\n')
      this.emitFile({ type: 'asset', fileName: 'third-party-licenses.txt', source })
    },
  }
}

/**
 * Returns the folder of the package that contains a module, or an empty list.
 *
 * @param {string} id
 */
function packageFolder(id) {
  const [, folder] = /^\0?(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id) ?? []
  return folder ?? []
}

/** @param {string} folder */
function licenseText(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text =
    file === undefined
      ? 'The package contains no license text.'
      : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version}, ${license}\n\n${text}\n`
}
