import { storedChoice } from './local-storage.ts'

/** Whether times are told on the reader's own clock or in UTC. One choice, and it holds everywhere. */
export const timeZone = storedChoice('time-zone', ['local', 'UTC'])

export function nextTimeZone(): void {
  timeZone.value = timeZone.value === 'local' ? 'UTC' : 'local'
}
