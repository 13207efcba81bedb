/**
 * Imports a HAR file that is dropped anywhere on the page. Without this, the browser would replace the inspector with the file.
 */
export function importDroppedFile(): void {
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0]
    if (!file) return
    event.preventDefault()
    void import('./import-har.ts').then(({ importHar }) => importHar(file))
  })
}
