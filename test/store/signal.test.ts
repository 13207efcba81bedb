import { expect, test } from 'vitest'
import { createSignal } from '../../server/store/journal/signal.ts'

test('a signal fires once if it is notified several times in a row', async () => {
  const bell = createSignal()
  let woken = 0
  const waiting = (async () => {
    for (;;) {
      await bell.wait()
      if (++woken === 2) return
    }
  })()
  for (let rings = 0; rings < 10; rings++) {
    bell.notify()
    await Promise.resolve()
  }
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  expect(woken).toBe(1)

  bell.notify()
  await waiting
})
