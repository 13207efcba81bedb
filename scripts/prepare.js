import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { buildPackageIfStale } from './build-if-stale.js'
import { root } from './run.js'

/*
 * Builds the package before it is installed in a different project, from a git address or as a linked folder. Package managers
 * also run this for a plain `npm install` or `npm ci` here. In that case, it builds nothing, because the scripts that need a
 * build make it themselves.
 */

const isRunHere = realpathSync.native(process.env.INIT_CWD ?? root) === realpathSync.native(root)
if (!isRunHere) {
  if (!existsSync(join(root, 'node_modules'))) {
    process.stderr.write(`Run npm start in ${root} once. It installs what the build needs.\n`)
    process.exit(1)
  }
  buildPackageIfStale()
}
