import { showToast } from './toasts.ts'

/** Puts text on the clipboard, and says so. */
export async function copy(text: string, what: string): Promise<void> {
  const done = await writeText(text)
  const subject = what.replace(/^the /, 'The ')
  if (done) showToast({ tone: 'ok', text: `${subject} copied` })
  else
    showToast({
      tone: 'err',
      text: `${subject} could not be copied. The browser allows it on localhost and HTTPS only.`,
    })
}

async function writeText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
