import { useSignal } from '@preact/signals'

/** Returns a function that runs an action, and does nothing while an earlier action is still running. */
export function useOneAtATime(): (action: () => Promise<unknown>) => Promise<void> {
  const isRunning = useSignal(false)
  return async (action) => {
    if (isRunning.peek()) return
    isRunning.value = true
    try {
      await action()
    } finally {
      isRunning.value = false
    }
  }
}
