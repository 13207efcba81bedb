import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { judgeAnswer } from '../../scripts/fuzz/judge-answer.js'
import { createConfiguredFailures } from '../../scripts/fuzz/configured-failures.js'
import { documents } from '../support/documents.ts'

const FUZZ = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url))

test('whatever is sent to whatever door, the sandbox answers, and stands', async () => {
  const args = [FUZZ, '--requests', '400', '--seed', '20260701', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: Infinity }).catch(
    // What was found is to be read, not that the command failed.
    (error: { readonly stdout: string }) => error,
  )

  expect(JSON.parse(stdout)).toMatchObject({ findings: [], seed: 20_260_701 })
})

test.for([
  ['a call', 'POST', '/api/v2/createLink', 400],
  ['a tunnel that nobody told to', 'POST', '/tunnel/fuzz', 500],
] as const)('%s may not answer with a failure and nothing else', async ([, method, target, status]) => {
  expect(await judged({ method, target }, status)).toBeDefined()
})

test.for([
  ['what Node knows no method of', 'FOO', '/api/v2/createLink', 400],
  ['what comes to a tunnel that was told so', 'POST', '/tunnel/told/a', 500],
  ['what a listener failed at', 'POST', '/tunnel/fuzz', 502],
] as const)('%s may be answered with a failure', async ([, method, target, status]) => {
  expect(await judged({ method, target }, status)).toBeUndefined()
})

async function judged(
  { method, target }: { readonly method: string; readonly target: string },
  status: number,
) {
  const told = createConfiguredFailures()
  const [, door = ''] = target.split('/')
  const sound = { door, headers: [['Host', '127.0.0.1']], isSound: true, parts: [] } as const
  const body = Buffer.from('{"status":500}')
  told.note({ ...sound, method: 'PUT', target: '/_sandbox/v1/tunnels/told/answer', body })
  const empty = Buffer.alloc(0)
  const headers = { 'x-content-type-options': 'nosniff' }
  const answer = { status, headers, body: empty, isWhole: true, raw: empty, hung: false, ms: 1 }
  const request = { ...sound, method, target, body: empty }
  return judgeAnswer(request, answer, await documents(), { faulty: false, told })
}
