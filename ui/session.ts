import { createLog } from './log.ts'
import { followStream } from './stream.ts'

/** The one journal this page follows, and how it is connected to it. */
export const log = createLog()
export const connection = followStream(log)
