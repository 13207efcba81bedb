import type { SandboxConfig } from './options.ts'

/** A configuration, or a function that returns one. */
export type SandboxConfigExport = SandboxConfig | (() => SandboxConfig | Promise<SandboxConfig>)

/** Returns its argument. With this function, an editor knows the keys of a `paylink.config.ts`. */
export const defineConfig = (config: SandboxConfigExport): SandboxConfigExport => config
