// The tests of the package alone, with SQLite compiled as it is for whoever installs it.
process.env.PAYLINK_TEST_COMPILES = 'true'
process.argv.push('--project', 'package')
await import('./test.js')
