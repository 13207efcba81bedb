import { expect, test } from 'vitest'
import { findInTimeSlices } from '../../server/store/snapshots/find-in-time-slices.ts'

function* endless(onEnd: () => void): Generator<number> {
  try {
    for (let number = 0; ; number++) yield number
  } finally {
    onEnd()
  }
}

test('a long search lets other work run, and returns what it finds', async () => {
  let hasEnded = false
  let hasRun = false
  setImmediate(() => (hasRun = true))
  const found = await findInTimeSlices(
    endless(() => (hasEnded = true)),
    () => (hasRun ? 'found' : null),
  )
  expect([found, hasEnded]).toEqual(['found', true])
})

test('a search that finds nothing returns null', async () => {
  expect(await findInTimeSlices([1, 2, 3], () => null)).toBeNull()
})
