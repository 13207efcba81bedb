import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { startFlags } from '../../server/cli/start-flags.ts'
import { version } from '../../server/platform/system/version.ts'

const read = (name: string): string =>
  readFileSync(new URL(`../../fixtures/recipes/replicas/${name}`, import.meta.url), 'utf8')

const compose = read('compose.yaml')
const manifest = read('paylink.yaml')

interface Compose {
  readonly services: { readonly paylink: { readonly environment: Readonly<Record<string, string>> } }
}

interface Deployment {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly [{ readonly env: readonly Variable[] }] }
    }
  }
}

interface Variable {
  readonly name: string
}

const options = Object.keys(startFlags).map((flag) => `PAYLINK_${flag.toUpperCase().replaceAll('-', '_')}`)

test('team sandbox: the compose file and the manifest start replicas of this version, with options that exist', () => {
  expect((compose + manifest).match(/(?<=paylink-sandbox:)[\d.]+/g)).toEqual([version, version])
  const { paylink } = (parse(compose) as Compose).services
  const [deployment] = parseAllDocuments(manifest).map((document) => document.toJS() as Deployment)
  const [container] = deployment!.spec.template.spec.containers
  for (const names of [Object.keys(paylink.environment), container.env.map(({ name }) => name)]) {
    expect(['PGPASSWORD', ...options]).toEqual(expect.arrayContaining(names))
    expect(names).toEqual(expect.arrayContaining(['PAYLINK_DB', 'PAYLINK_REPLICAS', 'PAYLINK_ADMIN_TOKEN']))
  }
})
