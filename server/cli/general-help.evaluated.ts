import { generalHelp } from './help.ts'

/** The general help. It is created at build time, because it needs the definitions of all commands. */
export const generalHelpText: string = await generalHelp()
