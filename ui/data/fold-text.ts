/**
 * A text as searches compare it: lower case, no accents, and a point before decimals. Its length stays the same, unless letters and
 * accents are separate characters.
 */
export function foldText(text: string): string {
  const folded = text.toLowerCase().replaceAll(/(?<=\d),(?=\d{1,2}(?!\.?\d))/g, '.')
  return /[^\p{ASCII}]/u.test(folded)
    ? folded
        .normalize('NFC')
        .replaceAll(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => letter.normalize('NFD').charAt(0))
    : folded
}
