import type { CheckCase } from './check-case.ts'
import { encodingCases } from './cases/encoding.ts'
import { fieldCases } from './cases/fields.ts'
import { repetitionCases } from './cases/repetition.ts'
import { cancelCases } from './cases/cancel.ts'
import { twoLinkCases } from './cases/two-links.ts'
import { refundCases } from './cases/refund.ts'
import { sequenceCases } from './cases/sequence.ts'
import { forgeryCases } from './cases/forgery.ts'
import { laterCases } from './cases/later.ts'

export const checkCases = [
  ...encodingCases,
  ...fieldCases,
  ...repetitionCases,
  ...cancelCases,
  ...twoLinkCases,
  ...refundCases,
  ...sequenceCases,
  ...forgeryCases,
  ...laterCases,
] as const satisfies readonly CheckCase[]

export type CheckName = (typeof checkCases)[number]['name']

export const checkNames: readonly CheckName[] = checkCases.map(({ name }) => name)
