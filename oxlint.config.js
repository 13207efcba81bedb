import { posix } from 'node:path'

/**
 * The modules of `server/` that each module may import. `imports`: everything of them. `types`: their types only. All
 * other imports are forbidden, so imports point down. `without`: libraries that the module must not use.
 *
 * @type {Record<string, { imports: string, types?: string, without: string }>}
 */
const modules = {
  domain: { imports: '', without: 'node hono kysely zod sqlite undici ws' },
  system: { imports: '', without: 'hono kysely zod sqlite undici ws' },
  openapi: { imports: '', without: 'node hono kysely sqlite undici ws' },
  styles: { imports: '', without: 'node kysely zod sqlite undici ws' },
  contract: { imports: 'domain', without: 'node hono kysely sqlite undici ws' },
  store: { imports: 'domain system', without: 'hono zod undici ws' },
  http: { imports: 'domain', without: 'kysely zod sqlite undici ws' },
  tls: { imports: 'domain system', without: 'hono kysely zod sqlite ws' },
  operations: { imports: 'domain store', without: 'hono kysely zod sqlite undici ws' },
  calibration: { imports: 'domain', types: 'contract', without: 'node hono kysely zod sqlite undici ws' },
  egress: { imports: 'domain tls', without: 'hono kysely zod sqlite ws' },
  'receiver-check': { imports: 'contract domain', without: 'hono kysely zod sqlite undici ws' },
  'caller-check': {
    imports: 'contract domain receiver-check',
    without: 'hono kysely zod sqlite undici ws',
  },
  'failure-tests': {
    imports: 'domain',
    types: 'contract',
    without: 'node hono kysely zod sqlite undici ws',
  },
  format: { imports: 'domain', types: 'contract', without: 'hono kysely zod sqlite undici ws' },
  docs: { imports: 'domain http openapi styles', without: 'kysely zod sqlite undici ws' },
  login: { imports: 'http styles', without: 'kysely zod sqlite undici ws' },
  webhooks: { imports: 'domain egress store', without: 'hono kysely zod sqlite undici ws' },
  notifications: { imports: 'domain operations store', without: 'hono kysely zod sqlite undici ws' },
  clock: { imports: 'domain operations store webhooks', without: 'hono kysely zod sqlite undici ws' },
  config: { imports: 'contract domain egress', without: 'hono kysely sqlite undici ws' },
  api: { imports: 'calibration domain http openapi operations store', without: 'sqlite undici ws' },
  checkout: {
    imports: 'domain http operations store styles',
    types: 'notifications',
    without: 'sqlite undici ws',
  },
  control: {
    types: 'caller-check notifications',
    imports: 'contract domain failure-tests http openapi operations receiver-check store system',
    without: 'sqlite undici',
  },
  'tunnels/protocol.ts': { imports: 'domain', without: 'node hono kysely zod sqlite undici' },
  'tunnels/client': { imports: 'domain tls tunnels/protocol.ts', without: 'hono kysely zod sqlite undici' },
  'tunnels/server': { imports: 'domain http operations store tunnels/protocol.ts', without: 'sqlite undici' },
  client: {
    imports: 'caller-check domain receiver-check tls tunnels/client',
    types: 'contract failure-tests',
    without: 'hono kysely sqlite',
  },
  mcp: {
    imports: 'caller-check client contract docs domain format receiver-check system',
    without: 'hono kysely sqlite undici ws',
  },
  cli: {
    imports:
      'caller-check calibration client config contract domain format mcp receiver-check sandbox.ts system tls tunnels/client tunnels/protocol.ts',
    without: 'hono kysely sqlite',
  },
  replicas: { imports: 'domain http store tls', without: 'kysely zod sqlite undici ws' },
  'server.ts': { imports: 'domain http tls', without: 'kysely zod sqlite undici' },
  'app.ts': {
    imports: 'api checkout control docs domain http login store tunnels/server',
    without: 'kysely zod sqlite undici',
  },
  sandbox: {
    imports:
      'api app.ts client clock config domain egress http notifications operations store system tls tunnels/server webhooks',
    types: 'caller-check contract control receiver-check',
    without: 'hono kysely zod sqlite undici ws',
  },
  'sandbox.ts': {
    imports: 'api clock config domain http operations replicas sandbox server.ts store system tls',
    without: 'hono kysely zod sqlite undici ws',
  },
  'index.ts': {
    imports: 'client config contract domain sandbox.ts',
    without: 'hono kysely zod sqlite undici ws',
  },
  'test-account.ts': { imports: 'client format index.ts', without: 'hono kysely zod sqlite undici ws' },
  'vitest.ts': { imports: 'client test-account.ts', without: 'hono kysely zod sqlite undici ws' },
  'playwright.ts': {
    imports: 'client domain test-account.ts',
    without: 'hono kysely zod sqlite undici ws',
  },
}

/** @type {Record<string, string[]>} */
const LIBRARIES = {
  node: ['node:*'],
  hono: ['hono', 'hono/**', '@hono/**'],
  kysely: ['kysely'],
  zod: ['zod'],
  sqlite: ['better-sqlite3'],
  undici: ['undici'],
  ws: ['ws'],
}

const names = Object.keys(modules)

const isFile = (/** @type {string} */ name) => name.endsWith('.ts')

/**
 * The rule for the files of a folder. Some subfolders have the names of modules, so the patterns match import paths as
 * files of this folder write them.
 *
 * @param {string} files
 * @param {string} folder
 * @param {string} self
 */
function importRule(files, folder, self) {
  const { imports = '', types = '', without = '' } = modules[self] ?? {}
  const patternOf = (/** @type {string} */ name) => {
    const path = posix.relative(folder, name)
    return `${path.startsWith('.') ? path : `./${path}`}${isFile(name) ? '' : '/**'}`
  }
  const typesOnly = types.split(' ').filter(Boolean)
  const allowed = new Set([self, ...imports.split(' '), ...typesOnly])
  const patterns = [
    {
      group: names.filter((name) => !allowed.has(name)).map(patternOf),
      message: `${self} must not import this module.`,
    },
    {
      group: typesOnly.map(patternOf),
      allowTypeImports: true,
      message: `${self} may import only types of this module.`,
    },
    {
      group: without.split(' ').flatMap((/** @type {string} */ library) => LIBRARIES[library] ?? []),
      message: `${self} must not use this library.`,
    },
  ]
  return {
    files: [files],
    rules: {
      'no-restricted-imports': ['error', { patterns: patterns.filter(({ group }) => group.length > 0) }],
    },
  }
}

/** A module is a file, or a folder with at most one level of folders in it. */
const importRules = names.flatMap((name) =>
  isFile(name)
    ? [importRule(`server/${name}`, posix.dirname(name), name)]
    : [
        importRule(`server/${name}/*`, name, name),
        importRule(`server/${name}/*/*`, `${name}/subfolder`, name),
      ],
)

const MARKUP = ['innerHTML', 'outerHTML', 'insertAdjacentHTML']

const MOCKS = ['mock', 'doMock', 'spyOn', 'useFakeTimers']

const OF_THE_INSPECTOR = ['domain', 'format', 'styles']

export default {
  plugins: ['typescript', 'import', 'unicorn', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['dist/**'],
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': [
      'error',
      { 'ts-ignore': true, 'ts-nocheck': true, 'ts-expect-error': false },
    ],
    'no-restricted-properties': [
      'error',
      ...MARKUP.map((property) => ({
        property,
        message: 'Build pages from elements, not from markup in strings.',
      })),
      { object: 'document', property: 'write' },
    ],
    'typescript/consistent-type-imports': 'error',
    'no-unmodified-loop-condition': 'off',
    'promise/always-return': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-named-as-default': 'off',
    'import/no-unassigned-import': 'off',
    // Only messages to a window have an origin, and the code sends them to workers only.
    'unicorn/require-post-message-target-origin': 'off',
  },
  overrides: [
    { files: ['vite.config.ts', 'oxlint.config.js'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['fixtures/recipes/**'],
      rules: { 'import/no-default-export': 'off', 'no-empty-pattern': 'off' },
    },
    ...importRules,
    {
      files: ['ui/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: names
                  .filter((name) => ![...OF_THE_INSPECTOR, 'contract', 'control'].includes(name))
                  .map((name) => `**/server/${name}${isFile(name) ? '' : '/**'}`),
                message: 'The inspector must not import this module.',
              },
              {
                group: ['**/server/contract/**', '**/server/control/**'],
                allowTypeImports: true,
                message: 'The inspector may import only types of this module.',
              },
              { group: LIBRARIES.node, message: 'The inspector runs in a browser.' },
            ],
          },
        ],
      },
    },
    {
      files: ['test/**'],
      rules: {
        'unicorn/consistent-function-scoping': 'off',
        'no-underscore-dangle': 'off',
        // Vitest reads the fixtures of a test from its first parameter. Without fixtures, this is the empty pattern `{}`.
        'no-empty-pattern': 'off',
        'no-restricted-globals': [
          'error',
          { name: 'setTimeout', message: 'Wait for the event instead of sleeping.' },
        ],
        'no-restricted-imports': ['error', { patterns: ['node:timers/promises', 'timers/promises'] }],
        'no-restricted-properties': [
          'error',
          ...MOCKS.map((property) => ({ object: 'vi', property, message: 'Test the real thing.' })),
          { property: 'waitForTimeout', message: 'Wait for the event instead of sleeping.' },
        ],
      },
    },
  ],
}
