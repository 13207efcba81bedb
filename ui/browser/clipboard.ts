import { showToast } from './toasts.ts'

/** Copies a text to the clipboard and confirms it by a toast. */
export async function copy(text: string, what: string): Promise<void> {
  const subject = what.replace(/^the /, 'The ')
  const isCopied = await writeText(text)
  showToast(
    isCopied
      ? { tone: 'ok', text: `${subject} copied` }
      : {
          tone: 'err',
          text: `${subject} could not be copied. Browsers allow copying on localhost and HTTPS only.`,
        },
  )
}

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
