import { useEffect, useState } from 'preact/hooks'
import { DEBOUNCE_MS } from './resource.ts'

/** Whether what is typed rests, so that what is wrong with it may be said. */
export function useDebounced(typed: string): boolean {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return rested === typed
}
