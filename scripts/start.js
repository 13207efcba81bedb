import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildIfStale } from './build-if-stale.js'
import { root } from './run.js'
import { setUp } from './setup.js'

setUp()
buildIfStale()
// The sandbox runs in this process, so that it gets the signals and sets the exit code.
await import(pathToFileURL(join(root, 'dist', 'server', 'cli.js')).href)
