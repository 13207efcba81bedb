/**
 * A text as searches compare it: lower case, no accents, and a point before decimals. Its length stays the same, unless letters and
 * accents are separate characters.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase()
  // Most texts have no comma. Searching it first is much faster.
  const folded = lower.includes(',') ? lower.replaceAll(/(?<=\d),(?=\d{1,2}(?!\.?\d))/g, '.') : lower
  return /[\u0080-\uffff]/.test(folded)
    ? folded
        .normalize('NFC')
        .replaceAll(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => letter.normalize('NFD').charAt(0))
    : folded
}
