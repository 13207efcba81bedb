const { CI, PAYLINK_TEST_FAST, PAYLINK_TEST_SIZE = CI ? 'full' : 'small' } = process.env

if (!['full', 'small'].includes(PAYLINK_TEST_SIZE)) {
  throw new Error(`PAYLINK_TEST_SIZE is ${PAYLINK_TEST_SIZE}. It must be full or small.`)
}

/** Whether tests run at full size. CI does, unless `PAYLINK_TEST_SIZE=small` says otherwise. */
export const isFullSize = PAYLINK_TEST_SIZE === 'full'

/** Returns one of two sizes. The small one proves the same with fewer repetitions. */
export const sized = <Size>({ full, small }: { readonly full: Size; readonly small: Size }): Size =>
  isFullSize ? full : small

/** Throws in `npm run test:fast`, which starts no browser and no process. */
export function assertNotFast(): void {
  if (!PAYLINK_TEST_FAST) return
  throw new Error('This test needs a browser or a new process. Add its file to SLOW_TESTS in vite.config.ts.')
}
