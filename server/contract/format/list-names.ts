import { andList } from '../../domain/text/word-lists.ts'

/** `repeated and resent-later`, or `repeated, resent-later, second-payment and 2 more` */
export function listNames(names: readonly string[], most = 3): string {
  // A single remaining name is listed, because "and 1 more" would not be shorter.
  const listed = names.length === most + 1 ? names : names.slice(0, most)
  const more = names.length - listed.length
  return andList(more === 0 ? listed : [...listed, `${more} more`])
}
