import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run.js'

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/**
 * Builds the packages in that the server needs: one file is read sooner than the hundreds that some have. What is
 * native or seldom needed stays a dependency. The licenses of all whose code is in what is built are put beside it,
 * as they ask for.
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
 * The folder of the package that a module is from, where it is from one.
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
    file === undefined ? 'It comes without a text.' : readFileSync(join(folder, file), 'utf8').trim()
  return `${name} ${version}, ${license}\n\n${text}\n`
}
