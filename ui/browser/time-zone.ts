import { storedChoice } from './local-storage.ts'

/** Whether the whole inspector shows times in the local time zone or in UTC. */
export const timeZone = storedChoice('time-zone', ['local', 'UTC'])

export function nextTimeZone(): void {
  timeZone.value = timeZone.value === 'local' ? 'UTC' : 'local'
}
