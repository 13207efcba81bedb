const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Replaces the usual character references of HTML, such as `&amp;`, `&#39;` and `&#x2F;`, and the escapes of JSON, such
 * as `\/`, `\"` and `\u0027`.
 */
export const decodeEscapes = (text: string): string => decodeJson(decodeHtml(text))

/** Replaces the usual character references of HTML only. */
export const decodeHtml = (html: string): string =>
  html.replace(
    /&(?:#(\d{1,5})|#x([\da-f]{1,4})|(amp|lt|gt|quot|apos));/gi,
    (_all, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? String.fromCharCode(decimal === undefined ? parseInt(hex!, 16) : Number(decimal))
        : NAMED[name.toLowerCase()]!,
  )

const decodeJson = (json: string): string =>
  json.replace(/\\(?:u([\da-f]{4})|(["/]))/gi, (_all, hex?: string, sign?: string) =>
    hex === undefined ? sign! : String.fromCharCode(parseInt(hex, 16)),
  )
