import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const FUZZ = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url))

test('whatever is sent to whatever door, the sandbox answers, and stands', async () => {
  const args = [FUZZ, '--requests', '400', '--seed', '20260701', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: Infinity }).catch(
    // What was found is to be read, not that the command failed.
    (error: { readonly stdout: string }) => error,
  )

  expect(JSON.parse(stdout)).toMatchObject({ findings: [], seed: 20_260_701 })
})
