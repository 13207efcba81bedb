import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../support/process.ts'

const recipe = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/recipes/bash/${name}`, import.meta.url))

/** Puts `paylink-sandbox` on the PATH, as an installed package does. */
function installed(folder: { readonly path: string }): string {
  const cli = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url))
  const script = `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`
  writeFileSync(join(folder.path, 'paylink-sandbox'), script, { mode: 0o755 })
  return `${folder.path}:${process.env.PATH}`
}

test.skipIf(process.platform === 'win32')(
  'a payment is told from beginning to end by bash alone',
  async () => {
    using folder = temporaryFolder()
    const { stdout, stderr } = await promisify(execFile)('bash', [recipe('story.sh')], {
      cwd: folder.path,
      env: { PATH: installed(folder) },
    })
    expect(stdout.trim().split('\n').at(-1)).toBe('Everything happened as it should.')
    expect(stderr).toContain('The link is paid already')
  },
)

test.skipIf(process.platform === 'win32')('and by curl, with a sandbox of its own', async () => {
  using folder = temporaryFolder()
  const { code, stdout } = await runCli(['exec', '--', 'bash', recipe('story-with-curl.sh')], {
    cwd: folder.path,
  })
  expect([code, stdout.trim().split('\n').at(-1)]).toEqual([0, 'Everything happened as it should.'])
  expect(stdout).toContain('The link is paid already')
})
