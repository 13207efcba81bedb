import { createHash } from 'node:crypto'

/**
 * Inlines the script and the style sheet of the report, so that it opens as one file from a disk. Its content security
 * policy allows only those two, so that the page loads nothing and sends nothing.
 *
 * @returns {import('vite').Plugin}
 */
export function inlineReport() {
  return {
    name: 'single-file',
    applyToEnvironment: ({ name }) => name === 'report',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle)
        const [page, ...pages] = files.filter(({ fileName }) => fileName.endsWith('.html'))
        const [chunk, ...chunks] = files.filter((file) => file.type === 'chunk')
        const [sheet, ...sheets] = files.filter(({ fileName }) => fileName.endsWith('.css'))
        if (page?.type !== 'asset' || chunk?.type !== 'chunk' || sheet?.type !== 'asset') {
          return this.error('The report needs one page, one script and one style sheet.')
        }
        if (pages.length + chunks.length + sheets.length > 0)
          this.error('The report has more than one page, script or style sheet.')

        const script = chunk.code.trim().replaceAll('</script', String.raw`<\/script`)
        const style = String(sheet.source)
          .trim()
          .replaceAll('</style', String.raw`<\/style`)
        const policy = [
          "default-src 'none'",
          `script-src ${hash(script)}`,
          `style-src ${hash(style)}`,
          'img-src data:',
          "base-uri 'none'",
          "form-action 'none'",
        ].join('; ')
        const meta = `<meta http-equiv="content-security-policy" content="${policy}" />`

        page.source = String(page.source)
          .replace(/<script [^>]*><\/script>\s*/, '')
          .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`)
          .replace('<meta charset="utf-8" />', (charset) => `${charset}\n    ${meta}`)
          .replace('</body>', (end) => `<script type="module">${script}</script>\n  ${end}`)
        page.fileName = 'index.html'
        delete bundle[chunk.fileName]
        delete bundle[sheet.fileName]
      },
    },
  }
}

/** `import('./file.ts')`, or one export of it: `(await import('./file.ts')).name`. */
const DYNAMIC_IMPORT = /\(await import\(('\.[^']+')\)\)\.(\w+)|\bimport\(\s*('\.[^']+')\s*\)/g

/**
 * Turns the dynamic imports of the report into static ones. A single file has nothing to load later, and the bundler
 * would wrap each module in a function that runs on demand. If the code names the export that it needs, only this is imported, so
 * that the bundler leaves out the others.
 *
 * @returns {import('vite').Plugin}
 */
export function importStatically() {
  return {
    name: 'import-statically',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'report',
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import(')) return null
      /** @type {string[]} */
      const imports = []
      const changed = code.replace(DYNAMIC_IMPORT, (_text, file, name, whole) => {
        const local = `loaded${imports.length}`
        imports.push(
          whole ? `import * as ${local} from ${whole};` : `import { ${name} as ${local} } from ${file};`,
        )
        return whole ? `Promise.resolve(${local})` : local
      })
      return imports.length === 0 ? null : { code: imports.join('') + changed, map: null }
    },
  }
}

/** @param {string} text */
const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
