import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.js'
import { root } from './run.js'
import { setUp } from './setup.js'

if (process.argv.includes('--help')) {
  process.stdout.write(`npm run dev -- [flags]

Runs a sandbox and the inspector, and rebuilds both on change. Takes the flags of \`paylink-sandbox start\`.
`)
  process.exit(0)
}
setUp()
buildIfStale()

const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
/** Vite rebuilds the server on change, Node restarts the built server, and Vite serves the inspector. */
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
