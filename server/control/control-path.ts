/** The path of the control API. */
export const CONTROL_PATH = '/_sandbox/v1'
