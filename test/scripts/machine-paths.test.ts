import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

const tracked = (...patterns: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && !file.endsWith('machine-paths.test.ts'))

/** The matching lines, as `file:line`. */
const linesWith = (pattern: RegExp, files: readonly string[]): string[] =>
  files.flatMap((file) =>
    readFileSync(`${root}/${file}`, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  )

test('no file contains a machine-specific path', () => {
  const texts = tracked('*.md', '*.json', '*.ts', '*.tsx', '*.js', '*.yml', '.ci/*').filter(
    (file) => file !== 'package-lock.json',
  )
  expect(linesWith(/\/(root|home|Users)\/|\/work\//, texts)).toEqual([])
})
