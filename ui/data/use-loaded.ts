import type { ReadonlySignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { ResourceState } from './resource.ts'

/**
 * Whether all resources have been loaded, or have failed, since the component appeared. A component that waits for this appears
 * as a whole, so that nothing moves when the resources arrive one by one.
 */
export function useLoaded(...resources: readonly ReadonlySignal<ResourceState<unknown>>[]): boolean {
  const isLoaded = useRef(false)
  isLoaded.current ||= resources.every(({ value }) => value.state !== 'loading')
  return isLoaded.current
}
