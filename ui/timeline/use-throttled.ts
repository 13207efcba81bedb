import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

const INTERVAL_MS = 200

/** The value of a signal. If it changes often, a value is at most 200 ms old. */
export function useThrottled<Value>(signal: ReadonlySignal<Value>): Value {
  const [value, setValue] = useState(signal.peek())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let shownAt = 0
    const show = () => {
      timer = undefined
      shownAt = performance.now()
      setValue(signal.peek())
    }
    const unsubscribe = signal.subscribe(() => {
      timer ??= setTimeout(show, Math.max(0, shownAt + INTERVAL_MS - performance.now()))
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [signal])
  return value
}
