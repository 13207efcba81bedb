import { generalHelp } from './help.ts'

/** The general help. Created at build time, because creating it would load all commands. */
export const generalHelpText: string = await generalHelp()
