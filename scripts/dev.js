import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { root } from './run.js'
import { setUp } from './setup.js'

await setUp()
buildIfStale()

const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
/** Rebuilds the server on change; Node restarts it when what was built has changed. */
const children = [
  start([vite, 'build', '--watch', '--ssr', '--logLevel', 'warn', '--config', 'vite.config.ts']),
  start(['--watch', '--watch-preserve-output', join('dist', 'server', 'cli.js'), ...process.argv.slice(2)]),
  start([vite, '--clearScreen', 'false']),
]

/** @param {readonly string[]} args */
function start(args) {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
}

for (const child of children) child.on('exit', () => children.forEach((other) => other.kill()))
process.on('SIGINT', () => children.forEach((child) => child.kill('SIGINT')))
