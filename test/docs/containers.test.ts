import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { parse } from 'yaml'
import { startFlags } from '../../server/cli/start-flags.ts'
import { version } from '../../server/platform/system/version.ts'
import { blocksOf } from '../support/run-document.ts'
import { openSandbox, shop } from '../support/sandbox.ts'
import { test } from '../support/test.ts'

const guide = readFileSync(new URL('../../server/docs/guides/containers.md', import.meta.url), 'utf8')
const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8')

const run = promisify(execFile)

const block = (name: string): string => blocksOf(guide).find(({ note }) => note === name)!.code

interface Service {
  readonly image?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
}

const servicesOf = (name: string): Record<string, Service> =>
  (parse(block(name)) as { services: Record<string, Service> }).services

test('containers: every snippet uses the image of this version, its port and its health check', () => {
  const images = [...guide.matchAll(/ghcr\.io\/[^\s`']+/g)].map(([image]) => image)
  expect([...new Set(images)]).toEqual([`ghcr.io/<owner>/paylink-sandbox:${version}`])
  const [, port] = /^EXPOSE (\d+)$/m.exec(dockerfile)!
  expect([...new Set(guide.match(/(?<=[:(' ])4\d{3}\b/g))]).toEqual([port])
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  for (const name of ['compose.yaml', '.devcontainer/compose.yaml']) {
    const { app } = servicesOf(name)
    expect(app!.depends_on).toEqual({ paylink: { condition: 'service_healthy' } })
  }
})

test('containers: the dev container works in a service of its compose file, and forwards the sandbox', () => {
  const { service, dockerComposeFile, forwardPorts } = JSON.parse(block('.devcontainer/devcontainer.json'))
  const services = servicesOf(join('.devcontainer', dockerComposeFile))
  expect(Object.keys(services)).toContain(service)
  expect(Object.keys(services)).toContain(forwardPorts[0].split(':')[0])
})

test('containers: the services get options of the sandbox, and apps its address and a key', () => {
  const workflow = parse(block('.github/workflows/test.yml')) as { jobs: { test: GitHubJob } }
  const github = workflow.jobs.test
  const gitlab = (parse(block('.gitlab-ci.yml')) as { test: GitLabJob }).test
  const composed = [servicesOf('compose.yaml'), servicesOf('.devcontainer/compose.yaml')]
  const sandboxes = [
    ...composed.map(({ paylink }) => paylink!.environment!),
    github.services.paylink.env,
    gitlab.services[0]!.variables,
  ]
  const options = Object.keys(startFlags).map((flag) => `PAYLINK_${flag.toUpperCase().replaceAll('-', '_')}`)
  for (const environment of sandboxes) {
    expect(options).toEqual(expect.arrayContaining(Object.keys(environment)))
    expect(environment.PAYLINK_ADMIN_TOKEN).toBe('open-sesame')
  }
  const apps = [...composed.map(({ app }) => app!.environment!), github.env, gitlab.variables]
  expect(apps.map(({ PAYLINK_API_KEY: key }) => key)).toEqual(apps.map(() => shop.apiKey))
})

interface GitHubJob {
  readonly services: { readonly paylink: { readonly env: Readonly<Record<string, string>> } }
  readonly env: Readonly<Record<string, string>>
  readonly steps: readonly { readonly run?: string }[]
}

interface GitLabJob {
  readonly services: readonly { readonly variables: Readonly<Record<string, string>> }[]
  readonly variables: Readonly<Record<string, string>>
  readonly after_script: readonly string[]
}

test.skipIf(process.platform === 'win32')(
  'containers: the CI jobs save the report of the sandbox at their end, with the same variables',
  async ({ folder }) => {
    const workflow = parse(block('.github/workflows/test.yml')) as { jobs: { test: GitHubJob } }
    const github = workflow.jobs.test
    const gitlab = (parse(block('.gitlab-ci.yml')) as { test: GitLabJob }).test
    const jobs = [
      {
        env: github.env,
        steps: github.steps.flatMap((step) => (step.run?.includes('curl') ? [step.run] : [])),
      },
      { env: gitlab.variables, steps: gitlab.after_script },
    ]
    for (const { env, steps } of jobs) {
      // Other containers know the name of the service only in the network of the job.
      await using sandbox = await openSandbox({ adminToken: env.PAYLINK_ADMIN_TOKEN! })
      await run('bash', ['-euo', 'pipefail', '-c', steps.join('\n')], {
        cwd: folder.path,
        env: { ...process.env, ...env, PAYLINK_URL: sandbox.url },
      })
      expect(readFileSync(join(folder.path, 'paylink-report.html'), 'utf8')).toContain('<html')
    }
  },
)
