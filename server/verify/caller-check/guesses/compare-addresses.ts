import { hash } from 'node:crypto'
import { isCountedUp } from './counted-up.ts'

export type Pair = readonly [string, string]

/** What the parts of the address of another order are for someone who knows the first address. */
export function compareAddresses(address: string, other: string, name: string) {
  const isMade = (part: string): boolean => isMadeFrom(name, part)
  const isName = (part: string): boolean => name.split('-').includes(part)
  const isKnown = (part: string, otherPart: string): boolean =>
    isCountedUp(part, otherPart) || isName(otherPart) || isMade(otherPart)
  const pairs = pairParts(address, other, isKnown)
  const [parts, others] = [pairs.map(([part]) => part), pairs.map(([, part]) => part)]
  const kinds = pairs.map(([part, otherPart]): 'same' | 'known' | 'secret' => {
    if (part === otherPart) return 'same'
    return isKnown(part, otherPart) ? 'known' : 'secret'
  })
  return {
    address,
    other,
    name,
    parts,
    others,
    kinds,
    isName: (index: number) => isName(others[index]!),
    isMade: (index: number) => isMade(others[index]!),
  }
}

export type ComparedAddresses = ReturnType<typeof compareAddresses>

/**
 * The parts of two addresses, side by side. A random key may contain hyphens, or an equal character at the same place, so what
 * is left between the parts that are equal or known is one part. The result is empty if the addresses have different forms.
 */
function pairParts(
  address: string,
  other: string,
  isKnown: (part: string, otherPart: string) => boolean,
): readonly Pair[] {
  const [sections, others] = [address.split(SECTIONS), other.split(SECTIONS)]
  if (sections.length !== others.length) return []
  return sections.flatMap((section, index) => {
    const left = section.split(SEPARATORS)
    const right = others[index]!.split(SEPARATORS)
    const takeWhileKnown = (end: 0 | -1): readonly Pair[] => {
      const taken: Pair[] = []
      while (left.length > 0 && right.length > 0) {
        const pair = [left.at(end)!, right.at(end)!] as const
        if (pair[0] !== pair[1] && !isKnown(...pair)) break
        taken.push(pair)
        for (const parts of [left, right]) parts.splice(end, 1)
      }
      return taken
    }
    const before = takeWhileKnown(0)
    const after = takeWhileKnown(-1).toReversed()
    const between = [left.join(''), right.join('')] as const
    return [...before, ...(between.join('') === '' ? [] : [between]), ...after]
  })
}

/** Match the separators between and in the sections of an address. Because of the parentheses, `split` keeps them. */
const SECTIONS = /([/?&=#])/
const SEPARATORS = /([._-])/

/** Whether a part of an address is made from the name of its order alone, so that anyone who knows the name can make it. */
const isMadeFrom = (name: string, part: string): boolean =>
  ['md5', 'sha1', 'sha256'].some((algorithm) => hash(algorithm, name) === part.toLowerCase()) ||
  (['base64url', 'hex'] as const).some((encoding) => Buffer.from(name).toString(encoding) === part)
