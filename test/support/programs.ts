import { spawnSync } from 'node:child_process'

/** Whether a program can be run. If not, prints this in one line. */
export function hasProgram(debianPackage: string, program: string, ...args: readonly string[]): boolean {
  if (spawnSync(program, args).status === 0) return true
  console.warn(`Tests with ${program} are skipped. To run them: apt-get install ${debianPackage}`)
  return false
}
