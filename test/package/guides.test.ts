import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { guides } from '../../server/docs/guides/guides.ts'
import { installedPath, runInstalled } from '../support/installed.ts'
import { startReceiver } from '../support/receiver.ts'
import { blocksOf, runDocument } from '../support/run-document.ts'
import { sized } from '../support/size.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

/** These guides run whole checks and test suites, and take half of the time of all documents. They run at full size only. */
const LONG_GUIDES = [
  'is-my-integration-correct',
  'compare-with-the-real-service',
  'testing-in-node',
  'testing-in-any-language',
  'time-seeds-and-snapshots',
  'checking-your-receiver',
]

const documents = [
  { name: 'README', text: readme },
  ...guides
    .filter(({ name }) => sized({ full: true, small: !LONG_GUIDES.includes(name) }))
    .map(({ name, text }) => ({ name: `guide ${name}`, text })),
]

test.skipIf(process.platform === 'win32').concurrent.each(documents)(
  'every command and test in the $name works as written',
  async ({ name, text }) => {
    await using receiver = await startReceiver()
    expect(await runDocument(name.replace(' ', '-'), text, Number(new URL(receiver.url).port))).toEqual([])
  },
)

test.skipIf(process.platform === 'win32')(
  'the tests in README and guides compile under strict rules',
  async () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'esnext.disposable'],
      types: [],
    }
    writeFileSync(
      installedPath('documents', 'tsconfig.json'),
      JSON.stringify({ compilerOptions, include: ['*/*.ts'] }),
    )

    expect(await runInstalled('documents', ['tsc', '--skipLibCheck'])).toEqual({ code: 0, said: '' })
  },
)

test.skipIf(process.platform === 'win32')(
  'the command that installs the clone works as written in Getting started',
  async () => {
    const { text } = guides.find(({ name }) => name === 'getting-started')!
    const { code } = blocksOf(text).find(({ note }) => note === 'install')!
    const project = installedPath('beside', 'project')
    mkdirSync(project, { recursive: true })
    symlinkSync(root, installedPath('beside', 'paylink-sandbox'))
    writeFileSync(installedPath('beside', 'project', 'package.json'), '{"private":true}')

    const installed = await runInstalled('beside/project', ['sh', '-c', code])
    const started = await runInstalled('beside/project', [
      'npx',
      '--no',
      '--',
      'paylink-sandbox',
      '--version',
    ])

    expect([installed.code, started]).toEqual([0, { code: 0, said: `${version}\n` }])
  },
)

test("the README's test is the Vitest recipe", () => {
  const [block] = blocksOf(readme).filter(({ language }) => language === 'ts')
  expect(block!.code).toBe(readFileSync(installedPath('recipes/vitest/payment.test.ts'), 'utf8'))
})
