import type { SandboxConfig } from './options.ts'

/** A configuration, or a function that returns one. */
export type SandboxConfigExport = SandboxConfig | (() => SandboxConfig | Promise<SandboxConfig>)

/** Returns its argument. It tells an editor the keys of a `paylink.config.ts`. */
export const defineConfig = (config: SandboxConfigExport): SandboxConfigExport => config
