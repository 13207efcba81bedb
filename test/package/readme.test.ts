import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { installed, passing, runInstalled } from '../support/installed.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const section = /^## In your tests\n([^]*?)^## /m.exec(readme)![1]!
const blocks = [...section.matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!)

beforeAll(() => {
  mkdirSync(installed('readme'))
  for (const [index, code] of blocks.entries()) writeFileSync(installed('readme', `${index}.test.ts`), code)
})

test("the README's first test is the Vitest recipe", () => {
  expect(blocks[0]).toBe(readFileSync(installed('recipes/vitest/payment.test.ts'), 'utf8'))
})

test("the README's tests pass as they stand there, pasted beside the installed package", async () => {
  expect(blocks.length).toBeGreaterThan(3)
  expect(await runInstalled('readme', ['vitest', 'run'])).toEqual(passing)
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
