import { openPointTexts } from '../../server/domain/behaviors/open-point-texts.evaluated.ts'
import type { AssumptionName, OpenPoint } from '../../server/domain/behaviors/open-points.ts'
import { report } from './report/report.ts'

type Texts = Readonly<Partial<Record<AssumptionName, OpenPoint>>>

const reportedTexts = (): Texts =>
  report.value.state === 'loaded' ? report.value.value.header.assumptions : {}

/** What the sandbox does at the open points. A report contains only the points that its events depend on. */
export const textsOfOpenPoints = (): Texts => (CAN_ACT ? openPointTexts : reportedTexts())
