import { readOptions } from './read-options.js'

const { node } = readOptions({
  command: 'npm run smoke --',
  text: 'Packs and installs the package with SQLite compiled, and runs the tests of the package.',
  flags: {
    node: {
      type: 'string',
      value: 'version',
      text: 'Only installs the package under this version of Node, and makes one payment.',
    },
  },
})

if (node === undefined) {
  const { auditPackage } = await import('./audit-package.js')
  await auditPackage()
  process.env.PAYLINK_TEST_COMPILES = 'true'
  process.argv.push('--project', 'package')
  await import('./test.js')
} else {
  const { smokeWithNode } = await import('./smoke-with-node.js')
  await smokeWithNode(node)
}
