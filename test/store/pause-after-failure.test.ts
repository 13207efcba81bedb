import { expect, test } from 'vitest'
import { pauseAfterFailure } from '../../server/store/pause-after-failure.ts'

test('when the sandbox stops, all pauses after failures end at once, and nothing is tried again', async () => {
  const stopping = new AbortController()
  const failures: unknown[] = []
  const options = { signal: stopping.signal, onError: (error: unknown) => failures.push(error) }
  const pauses = Array.from({ length: 20 }, (_, index) => pauseAfterFailure(index, options))

  stopping.abort()

  expect(new Set(await Promise.all(pauses))).toEqual(new Set([false]))
  expect(failures).toEqual(Array.from({ length: 20 }, (_, index) => index))
})
