import { defineConfig } from 'vitest/config'

const PORT = 4400

export default defineConfig({
  root: 'ui',
  base: './',
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
    client: { build: { outDir: '../dist/ui', emptyOutDir: true } },
    ssr: {
      build: {
        outDir: '../dist/server',
        emptyOutDir: true,
        ssr: true,
        copyPublicDir: false,
        rolldownOptions: {
          input: { cli: 'server/cli/main.ts', sandbox: 'server/sandbox.ts' },
          output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
        },
      },
    },
  },
  builder: {},
  test: {
    root: '.',
    include: ['test/**/*.test.{ts,tsx}'],
    globalSetup: 'test/support/global-setup.ts',
    // The checkout's stylesheet is served by the server, so the tests need it as it is.
    css: true,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A limit, not a wait: what is polled for usually comes at once.
    expect: { poll: { timeout: 20_000 } },
  },
})
