import { buildIfStale } from '../../scripts/build.js'

/** The tests drive the built inspector and the built command line. */
export function setup(): void {
  buildIfStale()
}
