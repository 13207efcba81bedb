/** Matches invisible characters: white space, controls, byte order marks and zero-width characters. */
const UNSEEN = String.raw`[\s\p{Cc}\p{Cf}]+`
const AROUND = new RegExp(`^${UNSEEN}|${UNSEEN}$`, 'gu')

/** A value without the invisible characters at its beginning and end, such as the line end of a file from Windows. */
export const tidy = (text: string): string => text.replaceAll(AROUND, '')
