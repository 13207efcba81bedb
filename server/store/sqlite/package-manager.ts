import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** The lock files of package managers. npm is the default. */
const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const

/** Returns the package manager of the project that a file or folder is installed in. */
export function packageManagerOf(path: string): PackageManager {
  const project = projectOf(path)
  return LOCK_FILES.find(([file]) => existsSync(join(project, file)))?.[1] ?? 'npm'
}

/** Returns the folder whose `node_modules` contains a file or folder. */
export const projectOf = (path: string): string => path.split(`${sep}node_modules${sep}`)[0]!

/** Returns the command that adds a version of SQLite to a project. Only version 12 has an install script, which must be allowed. */
export function installCommand(manager: PackageManager, major: 12 | 13): string {
  const sqlite = `better-sqlite3@${major}`
  const hasScript = major === 12
  switch (manager) {
    case 'npm':
      return `npm install --save-dev ${sqlite}`
    case 'pnpm':
      return `pnpm add --save-dev ${hasScript ? '--allow-build=better-sqlite3 ' : ''}${sqlite}`
    case 'yarn':
      return `yarn add --dev ${sqlite}`
    case 'bun':
      return `bun add --dev ${hasScript ? '--trust ' : ''}${sqlite}`
  }
}

/** How to allow the install script of SQLite and run it, as the beginning of a sentence. */
export function allowScript(manager: PackageManager): string {
  switch (manager) {
    case 'npm':
      return `Add \`"allowScripts": { "better-sqlite3": true }\` to package.json, and run \`${rebuildCommand(manager)}\``
    case 'pnpm':
      return 'Run `pnpm approve-builds better-sqlite3`'
    case 'yarn':
      return `Run \`${rebuildCommand(manager)}\``
    case 'bun':
      return 'Run `bun pm trust better-sqlite3`'
  }
}

/** The command that rebuilds the installed SQLite. Yarn and Bun have no such command, but npm's works in their projects. */
export const rebuildCommand = (manager: PackageManager): string =>
  `${manager === 'pnpm' ? 'pnpm' : 'npm'} rebuild better-sqlite3`
