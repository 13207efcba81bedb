import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'

const INTERVAL_MS = 200

/**
 * The value of a signal, at most 200 ms old. The delay keeps its rendering out of the frame that renders the change elsewhere.
 */
export function useThrottled<Value>(signal: ReadonlySignal<Value>): Value {
  const [value, setValue] = useState(signal.peek())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const unsubscribe = signal.subscribe(() => {
      timer ??= setTimeout(() => {
        timer = undefined
        setValue(signal.peek())
      }, INTERVAL_MS)
    })
    return () => {
      unsubscribe()
      clearTimeout(timer)
    }
  }, [signal])
  return value
}
