import type SQLite from 'better-sqlite3'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { installedSqlite } from './load-sqlite.ts'

/**
 * When SQLite starts its write-ahead log from the beginning, it truncates the log to this size. If the log is longer, some of its
 * content is not in the database file yet. One call waits for each checkpoint, so there must be far fewer checkpoints than one in
 * a hundred calls. A call writes about 30 KB.
 */
const MAX_LOG_BYTES = 16 * 1024 * 1024

/** `MAX_LOG_BYTES` in pages. */
const MAX_LOG_PAGES = MAX_LOG_BYTES / 4096

/**
 * The code of the worker is text, because a worker cannot run TypeScript sources in tests, and the built server has no separate
 * file for it.
 */
const WORKER = `
const { parentPort, workerData } = require('node:worker_threads')
const SQLite = require(workerData.library)
const sqlite = new SQLite(workerData.file, { fileMustExist: true })
parentPort.on('message', (message) => {
  if (message === 'close') {
    sqlite.close()
    parentPort.close()
    return
  }
  // If this fails, the next checkpoint copies the same pages.
  try {
    sqlite.pragma('wal_checkpoint(passive)')
  } catch {}
  parentPort.postMessage('done')
})`

/** Decides when the write-ahead log is copied to the database file. */
interface LogCheckpoints {
  /** Must be awaited before a transaction. */
  beforeTransaction(): Promise<void>
  /** Must be called after a transaction. */
  afterTransaction(): void
  /** Must be awaited before the database is closed, because only the last connection removes the log. */
  close(): Promise<void>
}

/**
 * Copies the write-ahead log to the database file in another thread. Copying takes several milliseconds, and in the same thread
 * it would double the p99 of calls on one connection. The first checkpoint of a long log runs while transactions continue. The
 * next transaction then waits for a second, short checkpoint. Without it, the log would never be copied completely, and SQLite
 * could never start it from the beginning. Transactions also wait if the log grows faster than it is copied.
 */
export function createLogCheckpoints(sqlite: SQLite.Database, file: string): LogCheckpoints {
  sqlite.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`)
  sqlite.pragma('wal_autocheckpoint = 0')
  let worker: Worker | undefined
  let hasFailed = false
  /** Both checkpoints. */
  let running: Promise<void> | undefined
  /** The second one, while it runs. */
  let second: Promise<void> | undefined

  const logBytes = (): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

  async function checkpoint(): Promise<void> {
    try {
      worker ??= startWorker(file).on('error', useThisThread)
      worker.postMessage('checkpoint')
      // Rejects if the worker fails.
      await once(worker, 'message')
    } catch {
      useThisThread()
    }
  }

  async function copyLog(): Promise<void> {
    try {
      await checkpoint()
      if (!hasFailed) await (second = checkpoint())
    } finally {
      running = second = undefined
    }
  }

  /** Copies in this thread, because there is too little memory for another one. */
  function useThisThread(): void {
    hasFailed = true
    sqlite.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`)
  }

  return {
    async beforeTransaction() {
      if (running) await (logBytes() > 2 * MAX_LOG_BYTES ? running : second)
    },
    afterTransaction() {
      if (hasFailed || running || logBytes() <= MAX_LOG_BYTES) return
      running = copyLog()
    },
    async close() {
      await running
      if (!worker || hasFailed) return
      const exited = new Promise((resolve) => worker?.once('exit', resolve))
      worker.postMessage('close')
      await exited
    },
  }
}

const startWorker = (file: string): Worker =>
  new Worker(WORKER, {
    eval: true,
    workerData: { file, library: installedSqlite().folder },
    // The thread must not inherit the options of the process, such as a module to import.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
