/** Set in the process that `start --detach` starts: the file that its output goes to. */
export const LOG_VARIABLE = 'PAYLINK_BACKGROUND_LOG'

/** What a sandbox in the background tells the command that has started it. */
export type BackgroundMessage =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'ready' }
