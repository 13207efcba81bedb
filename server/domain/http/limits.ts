export const MIB = 1024 * 1024

/** The maximum size of a request body in the v2 API. */
export const MAX_BODY_BYTES = MIB

/** A size for texts: `64 MiB`. */
export const formatMebibytes = (bytes: number): string => `${bytes / MIB} MiB`
