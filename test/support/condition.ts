import { EventEmitter, once } from 'node:events'

/** Waits for something that arrives in pieces. Call `notify` after each piece. */
export function createCondition() {
  const changes = new EventEmitter().setMaxListeners(0)
  return {
    notify: (): void => void changes.emit('change'),
    /** Resolves when `isMet` returns true. It is called at once, and after each `notify`. */
    async until(isMet: () => boolean): Promise<void> {
      while (!isMet()) await once(changes, 'change')
    },
  }
}
