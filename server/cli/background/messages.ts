/** The environment variable with the log file. `start --detach` sets it for the process that it starts. */
export const LOG_VARIABLE = 'PAYLINK_BACKGROUND_LOG'

/** A message from a sandbox in the background to the command that has started it. */
export type BackgroundMessage =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'ready' }
