import { readConfigFile } from './config-file.ts'
import type { FlagValues } from './flags.ts'
import { readOptions, valuesOfEnvironment, valuesOfFlags, type OptionValues } from './option-values.ts'
import { startOptions } from './options.ts'

export interface ProcessEnvironment {
  readonly env: NodeJS.ProcessEnv
  /** The folder with the configuration file. Default: the working directory of the process. */
  readonly cwd?: string
}

/** The values of the options of `start`. Flags override environment variables, which override the configuration file. */
export async function collectValues(
  flags: FlagValues,
  { env, cwd }: ProcessEnvironment,
  onlyByFlag: readonly string[] = [],
): Promise<OptionValues> {
  const fromFlags = valuesOfFlags(startOptions, flags)
  const fromEnvironment = valuesOfEnvironment(startOptions, env)
  const { config } = readOptions({ config: startOptions.config }, { ...fromEnvironment, ...fromFlags })
  const fromFile = await readConfigFile(config, cwd)
  // Validates all values, because an invalid value is an error even if the command does not use the option.
  readOptions(startOptions, fromFile)
  readOptions(startOptions, fromEnvironment)
  const values = { ...fromFile, ...fromEnvironment }
  for (const key of onlyByFlag) delete values[key]
  return { ...values, ...fromFlags }
}
