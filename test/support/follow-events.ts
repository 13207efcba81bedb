import type { EventView } from '../../server/contract/views.ts'
import { startCli } from './cli.ts'

/** Runs `events --follow --json`. `events` has the events that it has printed so far. */
export function followFrom(folder: { readonly path: string }, url: string, ...flags: readonly string[]) {
  const run = startCli(['events', '--follow', '--json', ...flags], {
    cwd: folder.path,
    env: { PAYLINK_URL: url },
  })
  const events = (): EventView[] => run.lines.map((line) => JSON.parse(line) as EventView)
  const seen = (type: string, times = 1): Promise<void> =>
    run.until(() => events().filter((event) => event.type === type).length >= times)
  return Object.assign(run, { events, seqs: () => events().map(({ seq }) => seq), seen })
}

/** The seqs from 1 to `head`. */
export const upTo = (head: number): number[] => Array.from({ length: head }, (_, index) => index + 1)
