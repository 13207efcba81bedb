import { useEffect, useRef } from 'preact/hooks'
import { route } from '../browser/route.ts'

/** Scrolls to an element and focuses it when the address names it. */
export function useScrollTarget<Target extends HTMLElement>(name: string | undefined) {
  const element = useRef<Target>(null)
  const current = route.value
  useEffect(() => {
    if (name === undefined || current.point !== name) return
    element.current?.scrollIntoView({ block: 'start' })
    element.current?.focus({ preventScroll: true })
  }, [current, name])
  return element
}
