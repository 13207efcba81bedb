import { closestMatch } from 'leven'

/** The name that was probably meant. None where no name is near. */
export const nearest = (name: string, names: readonly string[]): string | undefined =>
  closestMatch(name.slice(0, 40), names, { maxDistance: Math.ceil(Math.min(name.length, 40) / 3) })
