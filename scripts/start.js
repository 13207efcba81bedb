import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfStale } from './build-if-stale.js'
import { root } from './run.js'
import { setUp } from './setup.js'

await setUp()
buildIfStale()
// In this very process, so that signals and the exit code are the sandbox's own.
await import(pathToFileURL(join(root, 'dist', 'server', 'cli.js')).href)
