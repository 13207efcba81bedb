import { rulesForImports } from './scripts/import-rules.js'

/** The contract without `contract/format`. Importing more than its types would load zod. */
const SCHEMAS = 'contract/checks contract/report.ts contract/schemas contract/seed contract/views.ts'

/**
 * Which folder of `server/` may import which, from the lowest up. `imports`: the folders that it may import. `types`: folders and
 * files of which it may import only types. All other imports are errors, so imports point down. `without`: libraries that
 * it must not use.
 *
 * @type {import('./scripts/import-rules.js').Table}
 */
const folders = {
  domain: { imports: '', without: 'node hono kysely zod sqlite undici ws' },

  platform: { imports: 'domain', without: 'kysely sqlite' },
  contract: { imports: 'domain', without: 'hono kysely sqlite undici ws' },

  store: { imports: 'domain platform', without: 'hono zod undici ws' },
  docs: { imports: 'domain platform', without: 'kysely zod sqlite undici ws' },
  verify: { imports: 'contract domain platform', without: 'hono kysely zod sqlite undici ws' },

  service: { imports: 'domain platform store', without: 'sqlite' },
  control: { imports: 'contract domain platform service store verify', without: 'sqlite undici' },

  client: {
    imports: 'contract domain platform verify',
    types: `${SCHEMAS} control`,
    without: 'hono kysely sqlite',
  },
  mcp: {
    imports: 'client contract docs domain platform verify',
    types: 'control',
    without: 'hono kysely sqlite undici ws',
  },

  runtime: {
    imports: 'client contract control docs domain platform service store',
    types: 'verify',
    without: 'kysely zod sqlite undici',
  },

  cli: {
    imports: 'client contract domain mcp platform runtime verify',
    types: 'control',
    without: 'hono kysely sqlite',
  },
  package: {
    imports: 'client contract domain platform runtime',
    types: SCHEMAS,
    without: 'hono kysely zod sqlite undici ws',
  },
}

/**
 * Folders within those, with stricter rules. `imports`: the neighbors that it may import. `not`: folders of `server/` that it must not
 * import, although the folder around it may. `types` and `without` add to those of the folder around it.
 *
 * @type {import('./scripts/import-rules.js').Table}
 */
const innerFolders = {
  'platform/http': { imports: '', without: 'zod undici ws' },
  'platform/openapi': { imports: '', not: 'domain', without: 'node hono undici ws' },
  'platform/pages': { imports: '', not: 'domain', without: 'node zod undici ws' },
  'platform/system': { imports: '', without: 'hono zod ws' },
  'platform/tls': { imports: 'system', without: 'hono zod ws' },
  'contract/format': { imports: '', types: SCHEMAS, without: 'zod' },
  'contract/schemas': { imports: 'checks report.ts views.ts', without: 'node' },
  'contract/seed': { imports: 'schemas', without: 'node' },
  'verify/app': { imports: '' },
  'verify/calibration': { imports: '' },
  'verify/caller-check': { imports: 'app mistakes' },
  'verify/failure-tests': { imports: '', without: 'node' },
  'verify/mistakes': { imports: '' },
  'verify/receiver-check': { imports: 'app mistakes' },
  'service/egress': { imports: '', not: 'store', without: 'hono kysely zod ws' },
  'service/operations': { imports: '', without: 'hono kysely zod undici ws' },
  'service/webhooks': { imports: 'egress operations', without: 'hono kysely zod undici ws' },
  'service/api': { imports: 'operations', without: 'undici ws' },
  'service/checkout': { imports: 'operations', types: 'service/webhooks', without: 'undici ws' },
  'service/tunnels': { imports: 'operations', without: 'undici' },
  'client/listener': { imports: 'request.ts', not: 'verify', without: 'zod undici' },
  'runtime/config': { imports: '', not: 'client control docs store', without: 'ws' },
  'runtime/replicas': { imports: '', not: 'client contract control docs service', without: 'ws' },
}

/** What the inspector may import from `server/`. */
const inspector = { imports: 'contract domain', types: `${SCHEMAS} control`, without: 'hono node' }

/** Folders of `ui/` that all screens share. Each may import the folders before it, but no screen. */
const sharedByScreens = ['browser', 'data', 'search', 'components']

/** What only `ui/browser` may use, so that the choice of local time or UTC applies everywhere. */
const TIME_MESSAGE = 'Show times with components/time.tsx, or with browser/time-text.ts in texts.'
const timeFormats = {
  file: 'server/contract/format/values.ts',
  names: ['formatDateTime', 'formatDateTimeSeconds', 'formatSecondsOrDate', 'formatTime', 'formatTimeOrDate'],
  message: TIME_MESSAGE,
}
const timeProperties = [
  { object: 'Intl', property: 'DateTimeFormat', message: TIME_MESSAGE },
  ...['toLocaleDateString', 'toLocaleTimeString', 'getHours', 'getMinutes'].map((property) => ({
    property,
    message: TIME_MESSAGE,
  })),
]

const MARKUP = ['innerHTML', 'outerHTML', 'insertAdjacentHTML']

const markupProperties = [
  ...MARKUP.map((property) => ({
    property,
    message: 'Build pages from elements, not from markup in strings.',
  })),
  { object: 'document', property: 'write' },
]

const MOCKS = ['mock', 'doMock', 'spyOn', 'useFakeTimers']

export default {
  plugins: ['typescript', 'import', 'unicorn', 'promise'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['dist/**'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/ban-ts-comment': [
      'error',
      { 'ts-ignore': true, 'ts-nocheck': true, 'ts-expect-error': false },
    ],
    'no-restricted-properties': ['error', ...markupProperties],
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
    ...rulesForImports({ folders, innerFolders, inspector, sharedByScreens, timeFormats }),
    {
      files: ['ui/**'],
      rules: { 'no-restricted-properties': ['error', ...markupProperties, ...timeProperties] },
    },
    { files: ['ui/browser/**'], rules: { 'no-restricted-properties': ['error', ...markupProperties] } },
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
