import { relative } from 'node:path'
import { buildPackageIfStale } from './build-if-stale.js'
import { root } from './run.js'

/*
 * Builds the package before it is installed in another project: from a git address, or as a linked folder. Package managers
 * also run this for a plain `npm install` or `npm ci` here. It builds nothing then, because the scripts that need a build
 * make it themselves.
 */

const isRunHere = !relative(root, process.env.INIT_CWD ?? root).startsWith('..')
if (!isRunHere) buildPackageIfStale()
