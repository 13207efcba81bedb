/** The pay links in a page, a JSON document or an address, each once. JSON may write a slash as `\/`. */
export const findPayLinks = (text: string): string[] => [
  ...new Set(
    text.replaceAll('\\/', '/').match(/https?:\/\/[^\s"'<>\\]+\/payment\?link_id=[\w%+/=-]+/g) ?? [],
  ),
]
