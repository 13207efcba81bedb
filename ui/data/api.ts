import { SandboxError } from '../../server/contract/sandbox-error.ts'
import { createTypedRequest } from '../../server/contract/typed-request.ts'
import type { ControlRoutes } from '../../server/control/control-api.ts'
import { showToast } from '../browser/toasts.ts'
import { controlUrl } from './urls.ts'

export const SANDBOX_UNREACHABLE = 'The sandbox cannot be reached. It may be stopped or restarting.'

/** Sends a request to the control API. */
export const request = /* @__PURE__ */ createTypedRequest<ControlRoutes, Response>({
  base: controlUrl,
  fetch: (url, options) => fetch(url, options as RequestInit),
  explainFailure: () => SANDBOX_UNREACHABLE,
})

/** The text of an error beside a field. The message continues a sentence, like `should not be empty`. */
export const fieldErrorText = (message: string): string => `It ${message}.`

/** The message for a form with a single field. */
export const singleFieldError = ({ detail, errors: [first] }: SandboxError): string =>
  first ? fieldErrorText(first.message) : detail

/** Runs an action and returns its `SandboxError`, if it throws one. */
export async function catchSandboxError(action: () => Promise<unknown>): Promise<SandboxError | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (error instanceof SandboxError) return error
    throw error
  }
}

/** Runs an action and shows its `SandboxError` as a toast. Returns `undefined` in that case. */
export async function withErrorToast<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
    const { detail, request: failed, status } = error
    showToast({ tone: 'err', text: detail, request: status === null ? failed : `${failed} ${status}` })
    return undefined
  }
}
