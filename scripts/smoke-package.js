import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { node: { type: 'string' } } })

if (values.node === undefined) {
  const { vetPackage } = await import('./vet-package.js')
  await vetPackage()
  // The tests of the package alone, with SQLite compiled as it is for whoever installs it.
  process.env.PAYLINK_TEST_COMPILES = 'true'
  process.argv.push('--project', 'package')
  await import('./test.js')
} else {
  const { smokeUnder } = await import('./smoke-under.js')
  await smokeUnder(values.node)
}
