import { once } from 'node:events'
import { existsSync, readFileSync, watch } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { ENDED_FILE } from './install-package.ts'

const ended = join(inject('installed'), ENDED_FILE)

// The watch begins before the first check, so that no change is missed between the two.
const watcher = watch(inject('installed'))
while (!existsSync(ended)) await once(watcher, 'change')
watcher.close()

const problem = readFileSync(ended, 'utf8')
if (problem !== '') throw new Error(problem)
