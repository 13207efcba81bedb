import { defineConfig } from 'vitest/config'
import { sizeBudgets } from './scripts/size-budgets.js'
import { bundleDependencies } from './scripts/bundle-dependencies.js'
import { writeSeedSchema } from './scripts/write-seed-schema.js'
import { inlineReport } from './scripts/inline-report.js'

const PORT = 4400

const PACKAGE_TESTS = ['test/package/**/*.test.ts', 'test/recipes/**/*.test.ts']

export default defineConfig({
  root: 'ui',
  base: './',
  plugins: [inlineReport(), sizeBudgets(), writeSeedSchema(), bundleDependencies()],
  define: { CAN_ACT: 'true' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: {
    proxy: {
      '/_sandbox': {
        target: `http://127.0.0.1:${PORT}`,
        ws: true,
        // The sandbox admits its own name and origin only.
        changeOrigin: true,
        headers: { origin: `http://127.0.0.1:${PORT}` },
      },
    },
  },
  environments: {
    client: { build: { outDir: '../dist/ui', emptyOutDir: true, modulePreload: false } },
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
          // What only a sandbox needs is left out, whatever it does as it is loaded.
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
            index: 'server/index.ts',
            sandbox: 'server/sandbox.ts',
            vitest: 'server/vitest.ts',
          },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    },
  },
  builder: {},
  test: {
    root: '.',
    // The checkout's stylesheet is served by the server, so the tests need it as it is.
    css: true,
    // Limits, not waits: what is waited for usually comes at once, and on a busy machine late.
    testTimeout: 180_000,
    // Vitest leaves one processor free, which of two is half. Much of what is tested runs in processes of its own anyway.
    maxWorkers: '100%',
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'sandbox',
          // A file leaves nothing behind, so that those of one worker share what is loaded, and a browser.
          isolate: false,
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: PACKAGE_TESTS,
          globalSetup: 'test/support/global-setup.ts',
          setupFiles: 'test/support/fix-seed.ts',
        },
      },
      /** What is published, installed as others do. They have real test runs inside. */
      {
        extends: true,
        test: {
          name: 'package',
          include: PACKAGE_TESTS,
          globalSetup: ['test/support/global-setup.ts', 'test/support/install-package.ts'],
          setupFiles: 'test/support/await-package.ts',
          // After the others, in whose time the package is installed.
          sequence: { groupOrder: 1 },
          testTimeout: 300_000,
        },
      },
    ],
  },
})
