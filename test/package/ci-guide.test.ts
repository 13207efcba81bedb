import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { guides } from '../../server/docs/guides/guides.ts'
import { installedPath } from '../support/installed.ts'
import { cleanEnvironment } from '../support/process.ts'
import { readReport } from '../support/report.ts'
import { blocksOf } from '../support/run-document.ts'

const guide = blocksOf(guides.find(({ name }) => name === 'reports-and-ci')!.text)
const files = guide.filter(({ language }) => language === 'yaml')
const fileOf = (name: string): unknown => parse(files.find(({ note }) => note === name)!.code)

interface GitLabFile {
  readonly test: {
    readonly script: readonly string[]
    readonly artifacts: { readonly when: string; readonly paths: readonly string[] }
  }
}

type Step = {
  readonly uses?: string
  readonly run?: string
  readonly if?: string
  readonly with?: Readonly<Record<string, unknown>>
}

/** A project with a test. Its folder is below the one where the package and Vitest are installed. */
function makeProject(name: string): string {
  const folder = installedPath('documents', name)
  const recipe = installedPath('recipes', 'github-actions')
  mkdirSync(folder, { recursive: true })
  copyFileSync(join(recipe, 'payment.test.ts'), join(folder, 'payment.test.ts'))
  const scripts = { test: 'vitest run' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, type: 'module', scripts }))
  const lock = { name, lockfileVersion: 3, requires: true, packages: { '': { name } } }
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  return folder
}

/** Runs the lines of a job one after another, each in its own shell. */
async function runLines(folder: string, lines: readonly string[]) {
  const results: { line: string; code: number | null }[] = []
  for (const line of lines) {
    const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', line], {
      cwd: folder,
      env: cleanEnvironment(),
      stdio: 'ignore',
    })
    const [code] = (await once(shell, 'close')) as [number | null]
    results.push({ line, code })
  }
  return results
}

const LINES = ['npm ci', 'npx paylink-sandbox exec --report paylink-report.html -- npm test']

const typesIn = (folder: string, report: string): string[] =>
  readReport(readFileSync(join(folder, report), 'utf8')).events.map(({ type }) => type)

test('the CI guide begins with the file for GitLab', () => {
  expect(files.map(({ note }) => note)).toEqual(['.gitlab-ci.yml', '.github/workflows/test.yml', ''])
})

test.skipIf(process.platform === 'win32')('the script of the GitLab file runs the tests', async () => {
  const { script, artifacts } = (fileOf('.gitlab-ci.yml') as GitLabFile).test
  const folder = makeProject('gitlab')

  const results = await runLines(folder, script)

  expect(results).toEqual(LINES.map((line) => ({ line, code: 0 })))
  expect(artifacts).toEqual({ when: 'always', paths: ['paylink-report.html'] })
  expect(typesIn(folder, artifacts.paths[0]!)).toContain('link.paid')
})

test.skipIf(process.platform === 'win32')('the steps of the GitHub file run the tests', async () => {
  const file = fileOf('.github/workflows/test.yml') as { jobs: { test: { steps: readonly Step[] } } }
  const { steps } = file.jobs.test
  const folder = makeProject('github')

  const results = await runLines(
    folder,
    steps.flatMap(({ run }) => run ?? []),
  )

  expect(results).toEqual(LINES.map((line) => ({ line, code: 0 })))
  const upload = steps.at(-1)!
  expect(upload).toMatchObject({ uses: 'actions/upload-artifact@v7', if: '${{ !cancelled() }}' })
  expect(typesIn(folder, String(upload.with!.path))).toContain('link.paid')
})

test('the CI guide passes inputs that the action has, and lists all of them', () => {
  const action = parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')) as {
    inputs: Readonly<Record<string, { default: string }>>
  }
  const [{ uses, with: inputs }] = fileOf('') as [Step]
  const { text } = guides.find(({ name }) => name === 'reports-and-ci')!
  const rows = [...text.matchAll(/^\| `([\w-]+)` \| (?:`([^`]*)`)?/gm)].map(([, name, value]) => [
    name,
    value,
  ])

  expect(uses).toMatch(/^<owner>\/paylink-sandbox@v/)
  expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs!)))
  expect(rows).toEqual([
    ['version', action.inputs.version!.default],
    ['port', action.inputs.port!.default],
    ['flags', undefined],
    ['artifact', undefined],
  ])
})
