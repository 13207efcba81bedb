import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { installedPath } from '../support/installed.ts'

/** The recipes without a package. */
const FILES_ONLY = ['github-actions', 'replicas']

const recipes = readdirSync(installedPath('recipes')).filter((name) => !FILES_ONLY.includes(name))
const projects = [...recipes.map((name) => `recipes/${name}`), 'shop']

test.each(projects)('the README of %s installs the file that npm pack writes', (project) => {
  const readme = readFileSync(installedPath(project, 'README.md'), 'utf8')
  const [tarball] = readdirSync(installedPath()).filter((name) => name.endsWith('.tgz'))

  expect(readme).toContain(`(cd ../paylink-sandbox && npm pack)
npm install --save-dev ../paylink-sandbox/${tarball}
`)
})

test('no package.json gets the sandbox from a registry', () => {
  const files = projects.map((project) => installedPath(project, 'package.json')).filter(existsSync)

  expect(files).not.toEqual([])
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('paylink-sandbox'))).toEqual([])
})

test('the shop of the Playwright recipe is the shop in Node', () => {
  const [copy, shop] = ['playwright', 'shop-node'].map((name) =>
    readFileSync(installedPath('recipes', name, 'shop.mjs'), 'utf8'),
  )

  expect(copy).toBe(shop)
})
