import type { DataSource } from './data-source.ts'
import { liveSource } from './live-source.ts'
import { reportSource } from './report/report-source.ts'

/** The sandbox, or the data in this report file. */
export const source: DataSource = CAN_ACT ? liveSource : reportSource
