import { useSignal } from '@preact/signals'

/** Does what a button is pressed for, and leaves it at that until it is done: a second press does not do it twice. */
export function useOneAtATime(): (deed: () => Promise<unknown>) => Promise<void> {
  const isUnderway = useSignal(false)
  return async (deed) => {
    if (isUnderway.peek()) return
    isUnderway.value = true
    try {
      await deed()
    } finally {
      isUnderway.value = false
    }
  }
}
