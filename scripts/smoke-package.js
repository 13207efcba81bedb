import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { node: { type: 'string' } } })

if (values.node === undefined) {
  const { auditPackage: vetPackage } = await import('./audit-package.js')
  await vetPackage()
  // The tests of the package alone, with SQLite compiled as it is for whoever installs it.
  process.env.PAYLINK_TEST_COMPILES = 'true'
  process.argv.push('--project', 'package')
  await import('./test.js')
} else {
  const { smokeWithNode: smokeUnder } = await import('./smoke-with-node.js')
  await smokeUnder(values.node)
}
