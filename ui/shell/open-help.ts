export const HELP_ID = 'help'

export const openHelp = () => (document.getElementById(HELP_ID) as HTMLDialogElement | null)?.showModal()
