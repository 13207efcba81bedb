import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRetiredWords } from '../../scripts/retired-words.js'
import { commandNames } from '../../server/cli/commands.ts'
import { listErrors, type ErrorText } from './list-errors.ts'

const errors = listErrors()
/** Errors that are whole sentences: not a part of one, and not an answer of the emulated API, whose texts have its style. */
const sentences = errors.filter(({ area }) => area !== 'reasons' && area !== 'emulated API')

/** The texts that break a rule, each with its place. */
const withoutRule = (holds: (error: ErrorText) => boolean, all = sentences): string[] =>
  all.filter((error) => !holds(error)).map(({ place, text }) => `${place}: ${text}`)

test('all errors are listed in a file of the temporary folder', () => {
  const lines = errors.map(({ area, place, text }) => `[${area}] ${text}  (${place})\n`)
  writeFileSync(join(tmpdir(), 'paylink-errors.txt'), lines.join(''))
  const areas = [
    'calibrate',
    'checks',
    'client',
    'command line',
    'control API',
    'emulated API',
    'inspector',
    'MCP',
    'reasons',
  ]
  expect([...new Set(errors.map(({ area }) => area))]).toEqual(expect.arrayContaining(areas))
  expect(errors.length).toBeGreaterThan(700)
})

test('an error ends with a full stop or a question mark', () => {
  // A placeholder at the end is a whole sentence.
  expect(withoutRule(({ text }) => /[.?>]$/.test(text))).toEqual([])
})

test('an error begins with a capital letter, or with a name from the code', () => {
  const isName = (word: string) =>
    /^(-|<|"|[A-Z])|[a-z][A-Z.]/.test(word) || commandNames.includes(word as never)
  // Waits capitalize the first letter of these texts.
  const names = ['a', 'calibrate', 'operation', 'reply', 'type']
  expect(
    withoutRule(({ text }) => {
      const [word = ''] = text.split(/[ :]/, 1)
      return isName(word) || names.includes(word)
    }),
  ).toEqual([])
})

test('an error says what is wrong and what to do, in more than one sentence', () => {
  expect(withoutRule(({ text }) => /[.?:>,] |>\.?$/.test(text))).toEqual([])
})

test('an error that says what a value must be also quotes the actual value', () => {
  // A URL with a password is never shown.
  const showsValue = /<|, not |password/
  expect(withoutRule(({ text }) => !/\bmust be\b/.test(text) || showsValue.test(text))).toEqual([])
})

test('an error has no word twice in a row, and no retired word', () => {
  expect(withoutRule(({ text }) => !/\b([a-z]+) \1\b| {2}/.test(text.replaceAll(/<[^>]*>/g, '…')))).toEqual(
    [],
  )
  expect(withoutRule(({ text }) => findRetiredWords(text).length === 0, errors)).toEqual([])
})
