import { storedChoice } from './local-storage.ts'

/** The editors that open a line of a file by an address, with their schemes. */
export const editors = [
  ['vscode', 'VS Code'],
  ['cursor', 'Cursor'],
  ['zed', 'Zed'],
  ['idea', 'JetBrains'],
] as const

export const editor = storedChoice('editor', ['vscode', 'cursor', 'zed', 'idea'])

const PLACE = /^((?:\/|[A-Za-z]:[\\/]).+?):(\d+)(?::(\d+))?$/

/**
 * The address that opens a place such as `/app/webhook.js:12` in the editor. `undefined` for anything except an absolute path.
 */
export function editorUrl(place: string): string | undefined {
  const [, path, line, column = '1'] = PLACE.exec(place) ?? []
  if (path === undefined || line === undefined) return undefined
  const slashed = path.replaceAll('\\', '/')
  if (editor.value === 'idea') return `idea://open?file=${encodeURIComponent(slashed)}&line=${line}`
  const encoded = slashed
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/^(\w)%3A/, '$1:')
  return `${editor.value}://file${encoded.startsWith('/') ? '' : '/'}${encoded}:${line}:${column}`
}
