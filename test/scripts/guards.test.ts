import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guards } from '../../scripts/guards/table.js'

const root = new URL('../../', import.meta.url)

test.each(guards.map(({ name, file, text }) => [name, file, text] as const))(
  'the guard "%s" is in its file, once',
  (_name, file, text) => {
    expect(readFileSync(new URL(file, root), 'utf8').split(text)).toHaveLength(2)
  },
)
