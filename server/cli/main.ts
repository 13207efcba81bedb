#!/usr/bin/env node
import * as nodeModule from 'node:module'

// Since Node 22.8, compiled code is kept on the disk for the next start. It covers the modules that are loaded from here on.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void }
enableCompileCache?.()

await import('./process.ts')
