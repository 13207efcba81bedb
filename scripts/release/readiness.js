import { releaseNotes } from './notes.js'

/**
 * Says what keeps a commit from being released.
 *
 * @param {object} state
 * @param {string} state.version the version of the package
 * @param {unknown} state.repository the field of package.json
 * @param {string} state.changelog
 * @param {string} state.tags the tags of the commit, one a line
 * @param {string} state.changes files that are not committed, one a line
 * @returns {string[]}
 */
export function whyNotReady({ version, repository, changelog, tags, changes }) {
  const heading = headingOf(changelog, version)
  return [
    ...(changes === '' ? [] : ['Some files are not committed. Commit them, or remove them.']),
    ...(tags.split('\n').includes(`v${version}`)
      ? []
      : [`The commit has no tag v${version}. Run \`git tag v${version}\`.`]),
    ...(version.includes('-')
      ? [`${version} is a prerelease, and would become the latest version. Use a version like 1.2.3.`]
      : []),
    ...(heading === undefined || releaseNotes(changelog, version) === ''
      ? [`CHANGELOG.md says nothing about ${version}. Add \`## ${version} (<date>)\`.`]
      : []),
    ...(heading !== undefined && /unreleased/i.test(heading)
      ? [`CHANGELOG.md calls ${version} unreleased. Replace the word with the date.`]
      : []),
    ...(repository === undefined
      ? [
          'package.json names no repository, and npm requires it for provenance. Run `npm pkg set repository.url=git+https://github.com/<owner>/<name>.git`.',
        ]
      : []),
  ]
}

/**
 * @param {string} changelog
 * @param {string} version
 */
const headingOf = (changelog, version) =>
  changelog.split('\n').find((line) => line === `## ${version}` || line.startsWith(`## ${version} `))
