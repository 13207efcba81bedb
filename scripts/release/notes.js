/**
 * The section of the changelog about a version, without its heading. Empty if there is none.
 *
 * @param {string} changelog
 * @param {string} version
 */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^(?=## )/m)
  const section = sections.find((text) => /^## (\S+)/.exec(text)?.[1] === version) ?? ''
  const notes = section.replace(/^.*\n/, '').trim()
  return notes === '' ? '' : `${notes}\n`
}
