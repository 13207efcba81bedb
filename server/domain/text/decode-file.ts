/** The text of a file, or what kind of file it is instead. */
type DecodedFile = { readonly text: string } | { readonly not: 'zip' | 'gzip' | 'other' }

/** Decodes UTF-8, and UTF-16 with a byte order mark, as PowerShell writes it. With `isCode`, decodes only UTF-8. */
export function decodeFile(bytes: Uint8Array, isCode = false): DecodedFile {
  const starts = (...expected: readonly number[]): boolean =>
    expected.every((byte, index) => bytes[index] === byte)
  if (starts(0x50, 0x4b, 3, 4)) return { not: 'zip' }
  if (starts(0x1f, 0x8b)) return { not: 'gzip' }
  const utf16 = starts(0xff, 0xfe) ? 'utf-16le' : starts(0xfe, 0xff) ? 'utf-16be' : undefined
  try {
    const text = new TextDecoder(isCode ? 'utf-8' : utf16, { fatal: true }).decode(bytes)
    // In UTF-16 without a byte order mark, every other byte is zero.
    return text.includes('\0') ? { not: 'other' } : { text }
  } catch {
    return { not: 'other' }
  }
}
