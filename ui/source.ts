import { liveSource } from './live-source.ts'
import type { DataSource } from './data-source.ts'
import { reportSource } from './report/report-source.ts'

/** A sandbox, or the file that this page is. */
export const source: DataSource = CAN_ACT ? liveSource : reportSource
