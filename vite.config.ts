import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { sizeBudgets } from './scripts/size-budgets.js'
import { bundleDependencies } from './scripts/bundle-dependencies.js'
import { writeSeedSchema } from './scripts/write-seed-schema.js'
import { evaluateAtBuild } from './scripts/evaluate-at-build.js'
import { importPlainly } from './scripts/import-plainly.js'
import { injectGlobals } from './scripts/inject-globals.js'
import { importStatically, inlineReport } from './scripts/inline-report.js'
import { leaveOutLive } from './scripts/leave-out-live.js'
import { LongestFirst } from './scripts/longest-first.js'
import { laboratoryTests, leftOutTests, packageTests } from './scripts/test-sets.js'

const PORT = 4400

const POSTGRES_TESTS = [
  'test/postgres/**/*.test.ts',
  'test/crash/replicas.test.ts',
  'test/service/api/contract.test.ts',
  'test/control/snapshots.test.ts',
  'test/service/webhooks/dispatcher.test.ts',
  'test/store/{failed-writes,writer-state-property}.test.ts',
]

const SERVER_TESTS = [
  'test/postgres/**/*.test.ts',
  'test/crash/replicas.test.ts',
  'test/{client,control,journeys,mcp,platform/http,reference,service,store}/**/*.test.ts',
]

/**
 * A project of tests that run for long: those in the folder of its name, in another size. It exists only if it is named, so
 * that a run of all projects leaves it out.
 *
 * @param sizes environment variables and their defaults
 * @param testTimeout the limit of one test, or 0
 */
function longRun(name: string, sizes: Record<string, string>, testTimeout = 0): TestProjectConfiguration[] {
  if (!new RegExp(`--project[= ]${name}( |$)`).test(process.argv.join(' '))) return []
  const defaults = { ...sizes, FC_SEED: String(randomInt(2 ** 31)) }
  const env = Object.entries(defaults).map(([key, value]) => [key, process.env[key] ?? value])
  return [
    {
      extends: true,
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        globalSetup: 'test/support/global-setup.ts',
        setupFiles: 'test/support/fix-seed.ts',
        env: Object.fromEntries(env),
        testTimeout,
      },
    },
  ]
}

export default defineConfig({
  root: 'ui',
  base: './',
  plugins: [
    evaluateAtBuild(),
    leaveOutLive(),
    importPlainly(),
    importStatically(),
    inlineReport(),
    sizeBudgets(),
    writeSeedSchema(),
    bundleDependencies(),
    injectGlobals(),
  ],
  define: { CAN_ACT: 'true' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: {
    proxy: {
      '/_sandbox': {
        target: `http://127.0.0.1:${PORT}`,
        ws: true,
        // The sandbox rejects requests with another host or origin than its own.
        changeOrigin: true,
        headers: { origin: `http://127.0.0.1:${PORT}` },
      },
    },
  },
  environments: {
    client: {
      build: {
        outDir: '../dist/ui',
        emptyOutDir: true,
        modulePreload: false,
        cssCodeSplit: false,
        // Puts modules that many parts share into one file, because dozens of tiny files would compress badly. Those that the first
        // view does not need have a file of their own.
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'shared', minShareCount: 2, tags: ['$initial'] },
                { name: 'later', includeDependenciesRecursively: false, minShareCount: 3 },
              ],
            },
          },
        },
      },
    },
    /** The same pages once more, as one file without a sandbox behind it. */
    report: {
      consumer: 'client',
      define: { CAN_ACT: 'false' },
      build: {
        outDir: '../dist/report',
        emptyOutDir: true,
        modulePreload: false,
        rolldownOptions: {
          input: 'ui/report.html',
          output: { codeSplitting: false },
          // Removes modules that only a live sandbox needs, even if loading them would have side effects.
          treeshake: { moduleSideEffects: false, manualPureFunctions: ['lazy'] },
        },
      },
    },
    ssr: {
      build: {
        outDir: '../dist/server',
        emptyOutDir: true,
        ssr: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: {
            cli: 'server/cli/main.ts',
            index: 'server/package/index.ts',
            playwright: 'server/package/playwright.ts',
            sandbox: 'server/runtime/sandbox.ts',
            vitest: 'server/package/vitest.ts',
          },
          output: {
            // Half a megabyte of comments, of the bundled libraries above all, would make each start 6 % longer.
            comments: false,
            entryFileNames: '[name].js',
            chunkFileNames: '[name].js',
            // One file loads faster than thirty small ones.
            codeSplitting: {
              groups: [
                // Every command needs all of it, even one that only prints help.
                {
                  name: 'base',
                  test: /server[\\/](domain[\\/](text|network[\\/]credentials|http[\\/]exchange)|platform[\\/]system[\\/](node-globals|version))/,
                  tags: ['$initial'],
                },
                // Most commands need parts of it.
                { name: 'domain', test: /server[\\/]domain[\\/]/, tags: ['$initial'] },
                {
                  name: 'platform',
                  test: /server[\\/]platform[\\/](system(?![\\/]node-fetch)|tls)[\\/]/,
                  tags: ['$initial'],
                  includeDependenciesRecursively: false,
                },
                // Every sandbox needs all of it.
                {
                  name: 'service',
                  test: /(server[\\/](service[\\/](api|operations)|platform[\\/]http(?![\\/](agent|fetch|proxy))|store)|node_modules[\\/](hono|@hono|kysely))[\\/]/,
                  tags: ['$initial'],
                  includeDependenciesRecursively: false,
                },
                // The control API needs all of it.
                {
                  name: 'contract',
                  test: /server[\\/]contract[\\/](schemas|seed)[\\/]/,
                  includeDependenciesRecursively: false,
                },
              ],
            },
          },
        },
      },
    },
  },
  builder: {},
  test: {
    root: '.',
    // The tests read the checkout's stylesheet from the server.
    css: true,
    // Keeps transformed modules in node_modules for the next project of tests and for the next run.
    experimental: { fsModuleCache: !process.env.PAYLINK_TEST_NO_CACHE },
    // These are limits, not waits: on a busy machine, or on one with slow processors, an expected event may come late.
    testTimeout: 600_000,
    // Two workers more than processors, because many tests wait for a browser, a process or a time limit.
    maxWorkers: availableParallelism() + 2,
    // Concurrent tests of one file start processes. More at a time would exceed the time limits of those.
    maxConcurrency: 2,
    sequence: { sequencer: LongestFirst },
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000 } },
    // The example shops log each webhook that they reject.
    onConsoleLog: (log) => !/^Order \d+: a notification was rejected/.test(log),
    projects: [
      {
        extends: true,
        test: {
          name: 'sandbox',
          // Test files clean up after themselves, so those of one worker share the loaded modules and a browser.
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [
            ...packageTests,
            ...laboratoryTests,
            'test/postgres/**',
            'test/crash/replicas.test.ts',
            'test/soak/**',
            ...leftOutTests,
          ],
          globalSetup: 'test/support/global-setup.ts',
          setupFiles: 'test/support/fix-seed.ts',
        },
      },
      /** Tests of the server once more, on PostgreSQL: some of them, or with SANDBOX_TEST_DB=postgres all of them. */
      {
        extends: true,
        test: {
          name: 'postgres',
          isolate: false,
          include: process.env.SANDBOX_TEST_DB === 'postgres' ? SERVER_TESTS : POSTGRES_TESTS,
          globalSetup: ['test/support/global-setup.ts', 'test/support/start-postgres.ts'],
          setupFiles: ['test/support/fix-seed.ts', 'test/support/skip-without-postgres.ts'],
        },
      },
      /** Tests of the published package. It is installed in a temporary folder, where they start test runs. */
      {
        extends: true,
        test: {
          name: 'package',
          isolate: false,
          include: packageTests,
          globalSetup: ['test/support/global-setup.ts', 'test/support/install-package.ts'],
          setupFiles: 'test/support/await-package.ts',
          // These run after the other tests, because the package is installed while those run.
          sequence: { groupOrder: 1 },
        },
      },
      /**
       * The checks, with each shop of the laboratory. Whether an app answers in time is what they examine, so all other tests end
       * first: on a busy machine a correct shop would be too slow.
       */
      {
        extends: true,
        test: {
          name: 'laboratory',
          include: laboratoryTests,
          globalSetup: 'test/support/global-setup.ts',
          setupFiles: 'test/support/fix-seed.ts',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
      ...longRun('fuzz', { FUZZ_REQUESTS: '100000' }),
      ...longRun('crash', { CRASHES: '100' }, 300_000),
      ...longRun('soak', { SOAK_MINUTES: '30' }),
    ],
  },
})
