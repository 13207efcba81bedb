/** `a`, `a and b`, `a, b and c` */
export const andList = (texts: readonly (number | string)[]): string => joinWith('and', texts)

/** `a`, `a or b`, `a, b or c` */
export const orList = (texts: readonly (number | string)[]): string => joinWith('or', texts)

const joinWith = (word: string, texts: readonly (number | string)[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((part) => part !== '').join(` ${word} `)
