import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { judgeAnswer } from '../../scripts/fuzz/judge-answer.js'
import { createConfiguredFailures } from '../../scripts/fuzz/configured-failures.js'
import { documents } from '../support/documents.ts'
import { sized } from '../support/size.ts'

const FUZZ = fileURLToPath(new URL('../../scripts/fuzz.js', import.meta.url))

test('any request to any route gets a valid answer, and the sandbox keeps running', async () => {
  const args = [FUZZ, '--requests', sized({ full: '400', small: '200' }), '--seed', '20260701', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: Infinity }).catch(
    // With findings the command exits with 1, and they are compared below.
    (error: { readonly stdout: string }) => error,
  )

  expect(JSON.parse(stdout)).toMatchObject({ findings: [], seed: 20_260_701 })
})

test.for([
  ['a call', 'POST', '/api/v2/createLink', 400],
  ['a tunnel without a configured answer', 'POST', '/tunnel/fuzz', 500],
] as const)('fuzz: reports a failure as the answer to %s', async ([, method, target, status]) => {
  expect(await judged({ method, target }, status)).toBeDefined()
})

test.for([
  ['an unknown method', 'FOO', '/api/v2/createLink', 400],
  ['a tunnel with a configured failure', 'POST', '/tunnel/told/a', 500],
  ['a tunnel whose listener failed', 'POST', '/tunnel/fuzz', 502],
] as const)('fuzz: accepts a failure as the answer to %s', async ([, method, target, status]) => {
  expect(await judged({ method, target }, status)).toBeUndefined()
})

async function judged(
  { method, target }: { readonly method: string; readonly target: string },
  status: number,
) {
  const configuredFailures = createConfiguredFailures()
  const [, entryPoint = ''] = target.split('/')
  const wellFormed = { entryPoint, headers: [['Host', '127.0.0.1']], isWellFormed: true, parts: [] } as const
  const body = Buffer.from('{"status":500}')
  configuredFailures.record({
    ...wellFormed,
    method: 'PUT',
    target: '/_sandbox/v1/tunnels/told/answer',
    body,
  })
  const empty = Buffer.alloc(0)
  const headers = { 'x-content-type-options': 'nosniff' }
  const answer = { status, headers, body: empty, isComplete: true, raw: empty, hasTimedOut: false, ms: 1 }
  const request = { ...wellFormed, method, target, body: empty }
  return judgeAnswer(request, answer, await documents(), { hasFaults: false, configuredFailures })
}
