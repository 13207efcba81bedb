import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { installedPath, runInstalled } from '../support/installed.ts'

const COPIED_PACKAGES = ['paylink-sandbox', 'better-sqlite3']

/** A second installation, in which SQLite has no binary. */
function installUnbuilt(): void {
  mkdirSync(installedPath('unbuilt', 'node_modules'), { recursive: true })
  for (const name of readdirSync(installedPath('node_modules')).filter(
    (each) => !COPIED_PACKAGES.includes(each),
  )) {
    symlinkSync(
      installedPath('node_modules', name),
      installedPath('unbuilt', 'node_modules', name),
      'junction',
    )
  }
  for (const name of COPIED_PACKAGES) {
    cpSync(installedPath('node_modules', name), installedPath('unbuilt', 'node_modules', name), {
      recursive: true,
    })
  }
  for (const binaries of ['build', 'prebuilds'])
    rmSync(installedPath('unbuilt/node_modules/better-sqlite3', binaries), { recursive: true, force: true })
}

/** Only version 12 of SQLite has an install script. npm chooses it on Node 20. */
const MESSAGE = process.version.startsWith('v20.')
  ? `SQLite was not built, because npm did not run the install script of better-sqlite3. Add \`"allowScripts": { "better-sqlite3": true }\` to package.json, and run \`npm rebuild better-sqlite3\` in ${installedPath('unbuilt')}.\n`
  : expect.stringMatching(/^There is no prebuilt SQLite for .*\. To compile it, run `npx node-gyp /)

beforeAll(installUnbuilt)

test.each([':memory:', 'sandbox.db'])(
  'without a SQLite binary, the error says what to do (%s)',
  async (db) => {
    const cli = 'node_modules/paylink-sandbox/dist/server/cli.js'

    expect(await runInstalled('unbuilt', ['node', cli, '--port', '0', '--db', db])).toEqual({
      code: 2,
      said: MESSAGE,
    })
  },
)
