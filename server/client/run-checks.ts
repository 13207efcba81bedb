// `connect-sandbox.ts` imports this file at the first check, because most programs run none.

export { runCallerCheck } from '../caller-check/run-caller-check.ts'
export { runCheck } from '../receiver-check/run-check.ts'
export { createCallerSandbox } from './caller-sandbox.ts'
export { createSandboxPort } from './sandbox-port.ts'
