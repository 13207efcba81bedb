import { HTTP_STATUS, type ApiErrorKind } from '../../domain/api/api-error.ts'
import type { BehaviorSettings } from '../../domain/behaviors/behavior.ts'

/**
 * The HTTP status of an API error. If the behavior `errorStatus` is not `http`, it is 200, except beyond the rate
 * limit.
 */
export const errorStatus = (kind: ApiErrorKind, setting: BehaviorSettings['errorStatus']): number =>
  setting === 'http' || kind === 'limited' ? HTTP_STATUS[kind] : 200
