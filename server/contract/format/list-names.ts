/** `repeated, resent-later, second-payment and 2 more` */
export function listNames(names: readonly string[], most = 3): string {
  // The last name is as short as "and 1 more".
  const listed = names.length === most + 1 ? names : names.slice(0, most)
  const more = names.length - listed.length
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
