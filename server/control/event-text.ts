import type { Recorded } from '../domain/events.ts'
import { presentEvent } from './present.ts'

const written = new WeakMap<Recorded, { readonly baseUrl: string; readonly text: string }>()

/** An event as JSON. It is written once for all who follow the journal by the same address. */
export function eventText(event: Recorded, baseUrl: string): string {
  const known = written.get(event)
  if (known?.baseUrl === baseUrl) return known.text
  const text = JSON.stringify(presentEvent(event, baseUrl))
  written.set(event, { baseUrl, text })
  return text
}
