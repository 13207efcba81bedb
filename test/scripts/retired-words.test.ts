import { expect, test } from 'vitest'
import { findRetiredWords } from '../../scripts/retired-words.js'

test('retired words are found with their line and what to say instead', () => {
  expect(findRetiredWords('First.\nIt belongs into the table.')).toEqual([
    { line: 2, words: 'belongs into', instead: '"belongs in"' },
  ])
})

test.each([
  'the map in place of the target',
  'a list, besides those of the seed',
  'A failure is a result, too.',
  'Stop that one, or name another.',
  'the one that leads',
  'events come in every order',
  'the cases in the order of the table',
  'Pass the address too.',
  'It works, also if it is late.',
  'The developer released the held webhook.',
  'The checks judge a shop.',
  'if (isUnderWay(plan)) return',
  'const goesOn = await pause()',
])('the linter refuses "%s"', (text) => {
  expect(findRetiredWords(text)).toHaveLength(1)
})

test('retired words are found across the lines of a comment', () => {
  expect(findRetiredWords('/**\n * The map in\n * place of the target.\n */')).toMatchObject([
    { line: 2, words: 'in place of' },
  ])
  expect(findRetiredWords('// Stored, and\n  // also those')).toMatchObject([{ words: 'also those' }])
})

test.each([
  'so that one message says how to write it',
  'It is late, too late.',
  'Are there any more events?',
  'the order of a customer',
])('the linter accepts "%s"', (text) => {
  expect(findRetiredWords(text)).toEqual([])
})
