import { isFullSize } from '../../scripts/test-sets.js'

/** Returns one of two sizes. The small one proves the same with fewer repetitions. */
export const sized = <Size>({ full, small }: { readonly full: Size; readonly small: Size }): Size =>
  isFullSize ? full : small

/** Returns the size that an environment variable sets for a long run, or else the usual one. */
export function sizeFrom(variable: string, usual: number): number {
  const text = process.env[variable]
  if (text === undefined) return usual
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${variable} cannot be "${text}". It takes a whole number above 0.`)
}
