/** Domains that are nobody's outside of a network. */
const NOBODYS = new Set(['example', 'internal', 'invalid', 'lan', 'local', 'localhost', 'test'])

/** What is registered below a country, as in `co.uk`. */
const BELOW_COUNTRY = /^(ac|co|com|edu|gov|govt|gv|ltd|me|ne|net|nom|or|org|plc|sch)\.[a-z]{2}$/

/** Patterns that allow hosts of everybody's, which is seldom meant. */
export const notesOnHosts = (patterns: readonly string[]): readonly string[] =>
  patterns.flatMap((pattern) => {
    const domain = pattern.startsWith('*.') ? pattern.slice(2) : ''
    const isShared = (!domain.includes('.') && !NOBODYS.has(domain)) || BELOW_COUNTRY.test(domain)
    return domain !== '' && isShared
      ? [`${pattern} opens every host below .${domain}, of whoever has one. Name a domain of your own.`]
      : []
  })
