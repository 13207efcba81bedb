import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../server/index.ts'
import { installed, passing, runInstalled } from '../support/installed.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = /^## In your tests\n([^]*?)^## /m.exec(readme)![1]!
const blocksIn = (language: string): string[] =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code]) => code!)
const blocks = blocksIn('ts')

beforeAll(() => {
  mkdirSync(installed('readme'))
  for (const [index, code] of blocks.entries()) writeFileSync(installed('readme', `${index}.test.ts`), code)
})

test("the README's first test is the Vitest recipe", () => {
  expect(blocks[0]).toBe(readFileSync(installed('recipes/vitest/payment.test.ts'), 'utf8'))
})

test("the README's tests pass as they stand there, pasted beside the installed package", async () => {
  expect(blocks.length).toBeGreaterThan(3)
  expect(await runInstalled('readme', ['vitest', 'run', '--testTimeout=180000'])).toEqual(passing)
})

test("the README's tests compile under strict rules", async () => {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    types: [],
  }
  writeFileSync(installed('readme', 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))

  expect(await runInstalled('readme', ['tsc', '--skipLibCheck'])).toEqual({ code: 0, said: '' })
})

test.skipIf(process.platform === 'win32')(
  "the README's command for other languages pays a link",
  async () => {
    const commands = blocksIn('sh')
    expect(commands).toHaveLength(1)
    await using sandbox = await startSandbox()
    const shop = await sandbox.account('Flower Shop')
    const { payId } = await shop.link(await shop.createLink({ amount: 3 }))
    const command = commands[0]!
      .replace('http://127.0.0.1:4400', sandbox.url)
      .replace('<pay_id>', String(payId))

    const { code, said } = await runInstalled('.', ['sh', '-c', command.replace('curl ', 'curl -s ')])

    expect({ code, status: JSON.parse(said).link.status }).toEqual({ code: 0, status: 'paid' })
  },
)
