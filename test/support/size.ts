import { isFullSize } from '../../scripts/test-sets.js'

/** Returns one of two sizes. The small one proves the same with fewer repetitions. */
export const sized = <Size>({ full, small }: { readonly full: Size; readonly small: Size }): Size =>
  isFullSize ? full : small

/** Throws in `npm run test:fast`, which starts no browser and no process. */
export function assertNotFast(): void {
  if (process.env.PAYLINK_TEST_SET !== 'fast') return
  throw new Error(
    'This test needs a browser or a new process. Add its file to slowTests in scripts/test-sets.js.',
  )
}
