import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { leaveOutLive } from '../../scripts/leave-out-live.js'
import { temporaryFolder } from '../support/process.ts'

/** The text that the report contains instead of a module with this name and text. */
function load(name: string, text: string): unknown {
  using folder = temporaryFolder()
  const file = join(folder.path, name)
  writeFileSync(file, text)
  const context = {
    error(message: string): never {
      throw new Error(message.replace(folder.path, ''))
    },
  }
  return (leaveOutLive().load as (this: typeof context, id: string) => unknown).call(context, file)
}

test('a live component renders nothing in a report, and other modules stay as they are', () => {
  const text = "export const Pay = () => 'Pay'\nconst LABEL = 'Replay'\nexport function Replay() {}\n"
  expect(load('buttons.live.tsx', text)).toBe(
    'export const Pay = () => null\nexport const Replay = () => null\n',
  )
  expect(load('buttons.tsx', text)).toBeNull()
})

test('a file of live components that exports anything else is refused', () => {
  expect(() => load('buttons.live.tsx', 'export const replay = () => {}\n')).toThrow(
    /buttons\.live\.tsx exports replay\. A file \*\.live\.tsx exports only components\./,
  )
})
