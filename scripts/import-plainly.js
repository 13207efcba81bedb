/**
 * Leaves out what Vite does before each dynamic import: it loads the style sheets of the imported file. The inspector has a
 * single style sheet, which the page loads at first.
 *
 * @returns {import('vite').Plugin}
 */
export function importPlainly() {
  return {
    name: 'import-plainly',
    enforce: 'pre',
    load: (id) =>
      id.endsWith('vite/preload-helper.js') ? 'export const __vitePreload = (load) => load()' : null,
  }
}
