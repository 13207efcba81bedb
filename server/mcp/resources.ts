import type { McpServer } from '@modelcontextprotocol/server'
import { guides } from '../docs/guides/guides.ts'
import type { SandboxConnection } from './connection.ts'

interface Resource {
  readonly name: string
  readonly uri: string
  readonly title: string
  readonly description: string
  readonly mimeType: 'text/markdown' | 'application/json'
  /** A path on the sandbox, whose text contains the version and the address of the sandbox. */
  readonly path: string
}

/** The guides, the open points of the reference, and both OpenAPI documents. */
const resources: readonly Resource[] = [
  ...guides.map(({ name, title, summary }) => ({
    name: `guide-${name}`,
    uri: `paylink://guides/${name}`,
    title,
    description: summary,
    mimeType: 'text/markdown' as const,
    path: guidePath(name),
  })),
  {
    name: 'open-points',
    uri: 'paylink://open-points',
    title: 'Open points of the reference',
    description:
      'What the API reference leaves open, what the sandbox does there, and the behaviors that change it.',
    mimeType: 'application/json',
    path: '/_sandbox/v1/behaviors',
  },
  {
    name: 'openapi',
    uri: 'paylink://openapi/api',
    title: 'OpenAPI document of the payment API',
    description: 'The emulated API, version 2.',
    mimeType: 'application/json',
    path: '/openapi.json',
  },
  {
    name: 'openapi-control',
    uri: 'paylink://openapi/control',
    title: 'OpenAPI document of the control API',
    description: 'The API that lets tests and scripts control the sandbox.',
    mimeType: 'application/json',
    path: '/_sandbox/openapi.json',
  },
]

/** Adds the resources to a server. */
export function addResources(server: McpServer, { readText }: SandboxConnection): void {
  for (const { name, uri, path, ...about } of resources) {
    server.registerResource(name, uri, about, async () => ({
      contents: [{ uri, mimeType: about.mimeType, text: await readText(path) }],
    }))
  }
}

/** Where the sandbox serves the Markdown of a guide. */
export function guidePath(name: string): string {
  return `/docs/guides/${name}.md`
}
