/** `a`, `a and b`, `a, b and c` */
export const andList = (texts: readonly (number | string)[]): string =>
  [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((part) => part !== '').join(' and ')
