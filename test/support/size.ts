const { CI, PAYLINK_TEST_SIZE = CI ? 'full' : 'small' } = process.env

/** Whether tests run at full size, as in CI. `PAYLINK_TEST_SIZE=full` asks for it, `small` against it. */
export const isFullSize = PAYLINK_TEST_SIZE === 'full'

/** Chooses how often or how large. The small size still exercises everything, only fewer times. */
export const sized = ({ full, small }: { readonly full: number; readonly small: number }): number =>
  isFullSize ? full : small
