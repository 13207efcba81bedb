import { readOptions } from './read-options.js'
import { fail } from './run.js'
import { MANAGER_NAMES } from './smoke/package-managers.js'

const options = readOptions({
  command: 'npm run smoke --',
  text: 'Packs and installs the package with SQLite compiled, and runs the tests of the package. With a flag, only installs the package in an empty project, and makes payments there.',
  flags: {
    node: { type: 'string', value: 'version', text: 'The version of Node, such as 24.' },
    with: { type: 'string', value: 'manager', text: `The package manager: ${MANAGER_NAMES.join(', ')}.` },
    from: { type: 'string', value: 'source', text: 'What to install: tarball, or git for the last commit.' },
  },
})
const { node, with: manager = 'npm', from = 'tarball' } = options
if (!MANAGER_NAMES.includes(manager))
  fail(`--with must be one of ${MANAGER_NAMES.join(', ')}, not ${manager}.`)
if (from !== 'tarball' && from !== 'git') fail(`--from must be tarball or git, not ${from}.`)
if (from === 'git' && manager !== 'npm')
  fail(`--from git needs npm, because ${manager} does not build a package from a git address unasked.`)

if (options.node ?? options.with ?? options.from) {
  const { tryPackage } = await import('./smoke/try-package.js')
  await tryPackage({ node, manager, from })
} else {
  const { auditPackage } = await import('./audit-package.js')
  await auditPackage()
  process.env.PAYLINK_TEST_COMPILES = 'true'
  process.argv.push('--project', 'package')
  await import('./test.js')
}
