import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { cleanEnvironment, temporaryFolder } from '../support/process.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const VITE = 'vite builds'
/** A clone in which Vite only prints that it was started, and then fails. */
function clone() {
  const folder = temporaryFolder()
  const at = (...path: string[]) => join(folder.path, ...path)
  cpSync(join(root, 'scripts'), at('scripts'), { recursive: true })
  const { prepare } = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest).scripts
  writeFileSync(
    at('package.json'),
    JSON.stringify({ name: 'clone', version: '1.0.0', type: 'module', scripts: { prepare } }),
  )
  mkdirSync(at('node_modules', 'vite', 'bin'), { recursive: true })
  writeFileSync(at('node_modules', 'vite', 'bin', 'vite.js'), `console.log('${VITE}')\nprocess.exitCode = 1`)
  return folder
}

interface Manifest {
  readonly scripts: { readonly prepare: string }
}

const npm = (args: readonly string[], cwd: string) => {
  const { status, stdout, stderr } = spawnSync('npm', [...args, '--foreground-scripts', '--no-audit'], {
    cwd,
    encoding: 'utf8',
    env: cleanEnvironment(),
    shell: process.platform === 'win32',
  })
  return { status, output: stdout + stderr }
}

test('an installation of the dependencies builds nothing', () => {
  using folder = clone()

  const { status, output } = npm(['install', '--no-package-lock', '--offline'], folder.path)

  expect([status, output.includes('node scripts/prepare.js'), output.includes(VITE)]).toEqual([
    0,
    true,
    false,
  ])
})

test('an installation of the folder in another project builds it', () => {
  using folder = clone()
  using project = temporaryFolder()
  writeFileSync(join(project.path, 'package.json'), '{"private":true}')

  const { status, output } = npm(['install', '--offline', folder.path], project.path)

  expect([status, output.includes(VITE)]).toEqual([2, true])
  expect(output).toContain('The build failed. The output of Vite above says why.')
})

test('installing the folder in a project inside it builds the package', () => {
  using folder = clone()
  const project = join(folder.path, 'fixtures', 'project')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'package.json'), '{"private":true}')

  const { output } = npm(['install', '--offline', folder.path], project)

  expect(output).toContain(VITE)
})

test('an installation of a folder without its dependencies says how to install them', () => {
  using folder = clone()
  using project = temporaryFolder()
  writeFileSync(join(project.path, 'package.json'), '{"private":true}')
  rmSync(join(folder.path, 'node_modules'), { recursive: true })

  const { status, output } = npm(['install', '--offline', folder.path], project.path)

  const path = realpathSync(folder.path) + sep
  expect(status).toBe(1)
  expect(output).toContain(`Run npm start in ${path} once. It installs what the build needs.\n`)
})
