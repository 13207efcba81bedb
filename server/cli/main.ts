#!/usr/bin/env node
import * as nodeModule from 'node:module'

// Since version 22.8, Node can cache compiled code for the next run. This applies to modules that are loaded after this call.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void }
enableCompileCache?.()

await import('./process.ts')
