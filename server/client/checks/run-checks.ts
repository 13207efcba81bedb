// Imported by `connect-sandbox.ts` only when a check begins, because most programs run no check.

export { runCallerCheck } from '../../verify/caller-check/run-caller-check.ts'
export { checkCases } from '../../verify/receiver-check/cases.ts'
export { runCheck } from '../../verify/receiver-check/run-check.ts'
export { createCallerSandbox } from './caller-check-sandbox.ts'
export { createSandboxPort } from './receiver-check-sandbox.ts'
