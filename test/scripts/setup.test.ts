import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createStepReader } from '../../scripts/install-dependencies.js'
import { showProgress } from '../../scripts/progress.js'
import { whyInstall } from '../../scripts/why-install.js'
import { cleanEnvironment, temporaryFolder } from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** SQLite and what it needs. Only version 12 needs the last two. */
const SQLITE = [
  'node_modules/better-sqlite3',
  'node_modules/kysely',
  'node_modules/bindings',
  'node_modules/file-uri-to-path',
].filter((path) => existsSync(join(root, path)))

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; resolved?: string; optional?: boolean }>
}

const writeJson = (file: string, value: unknown): void => writeFileSync(file, JSON.stringify(value))

/** A project that depends on SQLite and Kysely, as npm installs it. */
function installedProject() {
  const folder = temporaryFolder()
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const needed = Object.fromEntries(SQLITE.map((path) => [path, packages[path]!]))
  mkdirSync(join(folder.path, 'node_modules'))
  for (const path of SQLITE) symlinkSync(join(root, path), join(folder.path, path), 'junction')

  const locked: Lock = {
    packages: {
      '': { version: '1.0.0' },
      ...needed,
      'node_modules/for-another-platform': { version: '1.0.0', optional: true },
    },
  }
  const installed: Lock = { packages: structuredClone(needed) }
  // npm records where a package came from, which the lock file does not have.
  for (const one of Object.values(installed.packages)) one.resolved = 'https://registry.example/one.tgz'
  const write = () => {
    writeJson(join(folder.path, 'package-lock.json'), locked)
    writeJson(join(folder.path, 'node_modules', '.package-lock.json'), installed)
  }
  write()
  return { ...folder, locked: locked.packages, installed: installed.packages, write }
}

describe('setup installs the dependencies', () => {
  test('not again once they are installed', () => {
    using project = installedProject()
    expect(whyInstall(project.path)).toBeUndefined()
  })

  test('if there are none, as after an aborted installation', () => {
    using project = installedProject()
    rmSync(join(project.path, 'node_modules', '.package-lock.json'))
    expect(whyInstall(project.path)).toBe('node_modules is missing or not complete')
  })

  test.each(['version', 'integrity'] as const)('if the lock file requires another %s', (key) => {
    using project = installedProject()
    project.locked['node_modules/kysely']![key] = '9.9.9'
    project.write()
    expect(whyInstall(project.path)).toMatch(/^node_modules\/kysely is .*, and package-lock.json asks for /)
  })

  test('if one is missing that npm has recorded', () => {
    using project = installedProject()
    delete project.installed['node_modules/kysely']
    project.write()
    expect(whyInstall(project.path)).toBe('node_modules/kysely is missing')
  })

  test('if one was deleted', () => {
    using project = installedProject()
    rmSync(join(project.path, 'node_modules', 'kysely'))
    expect(whyInstall(project.path)).toBe('node_modules/kysely is missing')
  })

  test('if the lock file no longer lists one', () => {
    using project = installedProject()
    project.installed['node_modules/extra'] = { version: '1.0.0' }
    project.write()
    expect(whyInstall(project.path)).toBe('node_modules/extra is not in package-lock.json')
  })

  test.each([
    ['12.11.1', { node: '24.21.0', napi: '10' }, 13],
    ['13.2.0', { node: '22.13.1', napi: '9' }, 12],
  ])('if SQLite is version %s on Node %o', (version, node, needed) => {
    using project = installedProject()
    const sqlite = join(project.path, 'node_modules', 'better-sqlite3')
    rmSync(sqlite)
    mkdirSync(sqlite)
    writeJson(join(sqlite, 'package.json'), { version })
    expect(whyInstall(project.path, node)).toBe(
      `better-sqlite3 ${version} does not fit Node ${node.node}, which needs version ${needed}`,
    )
  })

  test('if npm could not install SQLite, which is optional', () => {
    using project = installedProject()
    rmSync(join(project.path, 'node_modules', 'better-sqlite3'))
    delete project.installed['node_modules/better-sqlite3']
    project.write()
    expect(whyInstall(project.path)).toBe('node_modules/better-sqlite3 is missing')
  })

  test('if SQLite was compiled for another Node', () => {
    using project = installedProject()
    const sqlite = join(project.path, 'node_modules', 'better-sqlite3')
    rmSync(sqlite)
    for (const part of ['package.json', 'lib'])
      cpSync(join(root, 'node_modules', 'better-sqlite3', part), join(sqlite, part), { recursive: true })
    mkdirSync(join(sqlite, 'build', 'Release'), { recursive: true })
    writeFileSync(join(sqlite, 'build', 'Release', 'better_sqlite3.node'), 'for another machine')
    expect(whyInstall(project.path)).toMatch(`SQLite does not load in Node ${process.versions.node}: `)
  })
})

/** A project whose installation never ends. It connects to a port once it hangs. */
async function hangingProject() {
  const folder = temporaryFolder()
  cpSync(join(root, 'scripts'), join(folder.path, 'scripts'), { recursive: true })
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const project = { name: 'hangs', version: '1.0.0', type: 'module' }
  writeJson(join(folder.path, 'package.json'), { ...project, scripts: { install: 'node hang.js' } })
  writeJson(join(folder.path, 'package-lock.json'), {
    ...project,
    lockfileVersion: 3,
    packages: { '': { ...project, hasInstallScript: true } },
  })
  writeFileSync(
    join(folder.path, 'hang.js'),
    `import { connect } from 'node:net'\nconnect(${port}, '127.0.0.1')`,
  )
  return {
    path: folder.path,
    hangs: once(server, 'connection') as Promise<[Socket]>,
    [Symbol.dispose]() {
      server.close()
      folder[Symbol.dispose]()
    },
  }
}

test.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('setup: %s ends npm and its processes, and says how to continue', async (signal, status) => {
  using project = await hangingProject()
  const child = spawn(process.execPath, ['scripts/setup.js'], {
    cwd: project.path,
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, said] = [text(child.stdout), text(child.stderr)]
  const [socket] = await project.hangs
  const scriptEnds = once(socket.resume(), 'close')

  child.kill(signal)

  expect(await once(child, 'close')).toEqual([status, null])
  await scriptEnds
  expect(await printed).toBe('')
  expect(await said).toMatch(
    /\nThe installation was stopped\. To continue, run the same command again: .*\n$/,
  )
})

test('setup: log lines of npm become steps of the progress', () => {
  const steps = [
    'npm http fetch GET 200 https://registry.npmjs.org/zod 1417ms (cache updated)',
    'npm http fetch GET 200 https://registry.npmjs.org/zod/-/zod-4.6.7.tgz 6673ms (cache updated)',
    'npm http fetch GET 200 https://registry.npmjs.org/@hono/node-server/-/node-server-2.1.8.tgz 4ms (cache hit)',
    'npm info run esbuild@0.25.0 postinstall node_modules/esbuild node install.js',
    'npm info run better-sqlite3@12.11.1 install node_modules/better-sqlite3 prebuild-install || node-gyp rebuild --release',
  ].map(createStepReader())
  expect(steps).toEqual([
    undefined,
    'Downloading packages, 1 so far',
    'Downloading packages, 2 so far',
    'Setting up esbuild',
    'Setting up SQLite: downloading it, or compiling it',
  ])
})

test('setup: progress without a terminal is one line now and then', async () => {
  const stream = new PassThrough({ encoding: 'utf8' })
  const progress = showProgress(stream, 'Asking', 5)
  expect(await once(stream, 'data')).toEqual([expect.stringMatching(/^Asking \(\d+ s\)\n$/)])
  progress.change('Downloading')
  expect(await once(stream, 'data')).toEqual([expect.stringMatching(/^Downloading \(\d+ s\)\n$/)])
  expect(progress.end()).toBeGreaterThanOrEqual(0)
})

test('setup: progress on a terminal is one changing line that fits its width', async () => {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 10 })
  const progress = showProgress(stream, 'Asking')
  progress.change('Downloading packages')
  progress.end()
  stream.end()
  expect(await text(stream)).toBe('\r\u001b[KAsking (0\r\u001b[KDownloadi\r\u001b[K')
})
