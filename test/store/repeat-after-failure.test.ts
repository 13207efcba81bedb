import { expect, test } from 'vitest'
import { repeatAfterFailure } from '../../server/store/repeat-after-failure.ts'

test('when the sandbox stops, nothing is repeated, and all pauses end at once', async () => {
  const stopping = new AbortController()
  const failures: unknown[] = []
  const repeated: number[] = []
  const options = { signal: stopping.signal, onError: (error: unknown) => failures.push(error) }
  const running = Array.from({ length: 20 }, (_, index) =>
    repeatAfterFailure(index, () => repeated.push(index), options),
  )

  stopping.abort()

  expect(new Set(await Promise.all(running))).toEqual(new Set([undefined]))
  expect(failures).toEqual(Array.from({ length: 20 }, (_, index) => index))
  expect(repeated).toEqual([])
})
