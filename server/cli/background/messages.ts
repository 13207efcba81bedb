/** The environment variable that contains the path of the log. `start --detach` sets it for the process that it starts. */
export const LOG_VARIABLE = 'PAYLINK_BACKGROUND_LOG'

/** A message from a sandbox in the background to the command that started it. */
export type BackgroundMessage =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'ready' }
