#!/usr/bin/env node
import * as nodeModule from 'node:module'

// Since Node 22.8, Node can store compiled code for the next start. This works for modules that are loaded after this call.
const { enableCompileCache } = nodeModule as { enableCompileCache?: () => void }
enableCompileCache?.()

await import('./process.ts')
