/** The media type of a `Content-Type`, without its parameters and in lower case. */
export const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0]!.trim().toLowerCase()
