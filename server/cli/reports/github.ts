import { explanationOf, type CaseVerdict } from './verdict.ts'

/** One annotation for each failure. GitHub Actions reads them from the output of a step. */
export const githubAnnotationsOf = (suite: string, verdicts: readonly CaseVerdict[]): string =>
  verdicts
    .filter(({ outcome }) => outcome === 'failed')
    .map((verdict) => {
      const text = [verdict.message ?? '', explanationOf(verdict)].filter((part) => part !== '').join('\n')
      return `::error title=${escapeProperty(`${suite}: ${verdict.name}`)}::${escapeData(text)}\n`
    })
    .join('')

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
