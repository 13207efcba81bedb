import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { installedPath, runInstalled } from '../support/installed.ts'

const COPIED_PACKAGES = ['paylink-sandbox', 'better-sqlite3']

/** A second installation in which the install script of SQLite has not run. */
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
  rmSync(installedPath('unbuilt/node_modules/better-sqlite3/build'), { recursive: true })
}

beforeAll(installUnbuilt)

test.each([':memory:', 'sandbox.db'])(
  'without a SQLite binary, the error says what to do (%s)',
  async (db) => {
    const cli = 'node_modules/paylink-sandbox/dist/server/cli.js'

    expect(await runInstalled('unbuilt', ['node', cli, '--port', '0', '--db', db])).toEqual({
      code: 2,
      said: 'SQLite was not built. Run `npm rebuild better-sqlite3`, or allow its install script (`pnpm approve-builds`, or `allowScripts` in package.json for npm) and install again.\n',
    })
  },
)
