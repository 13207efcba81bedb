import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** Collects garbage, as the engine may do at any time. */
export const collectGarbage = runInNewContext('gc') as () => void
