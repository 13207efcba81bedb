import { chmodSync, existsSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spawnSandbox, temporaryFolder } from '../support/process.ts'

/** Other systems do not choose the browser by an environment variable. */
const onLinux = test.runIf(process.platform === 'linux')

const ARGS = ['--port', '0', '--db', ':memory:', '--open']

onLinux('start --open: opens the inspector in the default browser, with the admin token', async () => {
  using folder = temporaryFolder()
  const browser = join(folder.path, 'browser')
  const opened = join(folder.path, 'opened')
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > "${opened}.part" && mv "${opened}.part" "${opened}"\n`)
  chmodSync(browser, 0o755)
  using changes = { watcher: watch(folder.path), [Symbol.dispose]: () => changes.watcher.close() }

  await using sandbox = await spawnSandbox([...ARGS, '--admin-token', 'open&sesame'], {
    cwd: folder.path,
    env: { BROWSER: browser },
  })
  while (!existsSync(opened)) await once(changes.watcher, 'change')
  const url = readFileSync(opened, 'utf8')
  expect(url).toBe(`${sandbox.url}/?admin_token=open%26sesame`)
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(302)
  expect(sandbox.errors).toEqual([])
})

onLinux('start --open: without a browser, prints the address of the inspector and serves', async () => {
  using folder = temporaryFolder()
  await using sandbox = await spawnSandbox(ARGS, {
    cwd: folder.path,
    env: { BROWSER: 'no-such-browser' },
  })
  await expect
    .poll(() => sandbox.errors)
    .toEqual([`No browser could be opened here. The inspector is at ${sandbox.url}/`])
  expect((await fetch(`${sandbox.url}/_sandbox/ready`)).status).toBe(200)
})
