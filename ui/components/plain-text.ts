/** A page of HTML without its tags, of which the last one may be cut. Any other text is unchanged. */
export const plainText = (text: string): string =>
  text.startsWith('<')
    ? text
        .replace(/<[^>]*(>|$)/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
    : text
