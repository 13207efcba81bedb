/** The path under which the control API is mounted. */
export const CONTROL_PATH = '/_sandbox/v1'
