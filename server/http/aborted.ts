/** Whether an error means that whoever sent a request has gone away in the middle of it. */
export const isAborted = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'AbortError' ||
    ('code' in error && ['ECONNRESET', 'ECONNABORTED'].includes(String(error.code))))
