import { decodeEscapes } from '../../domain/text/decode-escapes.ts'
import type { PageAnswer } from '../receiver-check/open-page.ts'

/** Matches what scripts of a page read with GET: `fetch('/data')`, `axios.get("/data")`, `open('GET', '/data')`, and `data-url="/data"`. */
const READ =
  /(?:(?:\b(?:fetch|axios|axios\.get|getJSON)|\$\.get)\(\s*|\.open\(\s*["']GET["']\s*,\s*|\bdata-(?:url|src|endpoint)\s*=\s*)(["'`])([^"'`\s]+)\1(?!\s*\+)(?!\s*,\s*\{[^}]*\bmethod\b)/gi

/** More addresses of one page are not read. */
const MAX_ADDRESSES = 3

/** The addresses of the app from which the scripts of a page read data. */
export const dataAddresses = ({ text, url }: PageAnswer): readonly string[] =>
  [
    ...new Set(
      [...text.matchAll(READ)]
        .map(([, , address = '']) => decodeEscapes(address))
        .filter((address) => !address.includes('${') && URL.canParse(address, url))
        .map((address) => new URL(address, url))
        .filter(({ origin }) => origin === new URL(url).origin)
        .map(({ href }) => href),
    ),
  ].slice(0, MAX_ADDRESSES)
