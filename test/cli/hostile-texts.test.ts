import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { junitOf } from '../../server/cli/reports/junit.ts'
import { markdownOf } from '../../server/cli/reports/markdown.ts'
import { run } from '../../server/cli/run.ts'
import { runCli } from '../support/cli.ts'
import { cleanEnvironment } from '../support/process.ts'
import { test } from '../support/test.ts'

/** Hides text, rings the bell, reverses the direction, sets red with a C1 escape, and adds invisible characters. */
const HOSTILE = '\u001b[8mhidden\u0007\u202eesrever\u009b31m\u2066\u200b\ufeff\ufdd0✓\ufdd4'
const CONTROLS =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u200b\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufeff]/

test.for([
  ['import', 'x.har', `${HOSTILE}{`],
  ['import', 'x.har', JSON.stringify({ log: { entries: [{ [HOSTILE]: 1 }] } })],
  ['calibrate --from', 'x.har', JSON.stringify({ log: { entries: HOSTILE } })],
  [
    'start --port 0 --db :memory: --seed',
    'x.json',
    `{ "accounts": [{ "name": ${JSON.stringify(HOSTILE)}, "x": ${HOSTILE}`,
  ],
  ['start --port 0 --db :memory: --seed', 'x.json', JSON.stringify({ [HOSTILE]: [] })],
  ['start --port 0 --db :memory: --config', 'x.json', JSON.stringify({ behaviors: { payId: HOSTILE } })],
  ['start --port 0 --db :memory: --config', 'x.json', JSON.stringify({ [HOSTILE]: 1 })],
] as const)(
  'an error that quotes a file contains no control characters: %s',
  async ([line, file, text], { folder, sandbox }) => {
    writeFileSync(join(folder.path, file), text)

    const { stdout, stderr } = await runCli([...line.split(' '), file], {
      cwd: folder.path,
      env: { PAYLINK_URL: sandbox.url },
    })

    expect(stdout + stderr).not.toBe('')
    expect(stdout + stderr).not.toMatch(CONTROLS)
  },
)

test('events that contain control characters are printed as text, and --json keeps their meaning', async ({
  folder,
  sandbox,
}) => {
  await sandbox.createLink({ recipient_note: HOSTILE })
  await fetch(`${sandbox.url}/tunnel/x`, { method: 'POST', headers: { 'user-agent': 'x' }, body: HOSTILE })
  const options = { cwd: folder.path, env: { PAYLINK_URL: sandbox.url } }

  const text = await runCli(['events'], options)
  const json = await runCli(['events', '--json', '--type', 'link.created'], options)

  expect(text.stdout).not.toMatch(CONTROLS)
  expect(json.stdout).not.toMatch(CONTROLS)
  expect(JSON.parse(json.stdout)).toMatchObject({ link: { note: HOSTILE } })
})

test('a terminal gets colors, but no escape sequence of a received text', async ({ folder, sandbox }) => {
  await sandbox.createLink({ recipient_note: '\u001b[31mred' })
  let written = ''
  const terminal = { isTTY: true, hasColors: () => true, write: (text: string) => (written += text) }

  await run(['events'], {
    stdout: terminal,
    stderr: terminal,
    cwd: folder.path,
    env: { ...cleanEnvironment(), PAYLINK_URL: sandbox.url },
  })

  expect(written).toContain('\u001b[32m')
  expect(written).not.toContain('\u001b[31m')
})

test('reports for CI contain no control characters', () => {
  const verdicts = [
    { name: HOSTILE, group: HOSTILE, outcome: 'failed' as const, ms: 1, message: HOSTILE, details: HOSTILE },
    { name: HOSTILE, group: HOSTILE, outcome: 'skipped' as const, ms: 1, message: HOSTILE },
  ]

  expect(markdownOf(HOSTILE, verdicts)).not.toMatch(CONTROLS)
  expect(junitOf(HOSTILE, verdicts)).not.toMatch(CONTROLS)
})

test('exec: the output of the command passes unchanged', async ({ folder }) => {
  const { stdout } = await runCli(
    [
      'exec',
      '--quiet',
      '--',
      process.execPath,
      '-e',
      String.raw`process.stdout.write('\u001b[31mred\u001b[0m\r')`,
    ],
    { cwd: folder.path },
  )

  expect(stdout).toBe('\u001b[31mred\u001b[0m\r')
})
