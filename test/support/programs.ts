import { spawnSync } from 'node:child_process'

/** Whether a program runs. Says so in one line if not. */
export function hasProgram(debianPackage: string, program: string, ...args: readonly string[]): boolean {
  if (spawnSync(program, args).status === 0) return true
  console.warn(`Tests with ${program} are skipped. To run them: apt-get install ${debianPackage}`)
  return false
}
