import type SQLite from 'better-sqlite3'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { installedSqlite } from './load-sqlite.ts'

/**
 * When SQLite restarts the write-ahead log, it truncates the log to this size. So a longer log has content that is not in the
 * database file yet.
 */
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** `MAX_LOG_BYTES` in pages. This is SQLite's default. */
const MAX_LOG_PAGES = 1000

/** The worker is text, because in tests a worker cannot run the sources, and the built server has no separate file for it. */
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
  // If it fails, the next checkpoint copies the same pages.
  try {
    sqlite.pragma('wal_checkpoint(passive)')
  } catch {}
  parentPort.postMessage('done')
})`

/** Decides when the write-ahead log is copied into the database file. */
interface LogCheckpoints {
  /** Must be awaited before a transaction. */
  beforeTransaction(): Promise<void>
  /** Must be called after a transaction. */
  afterTransaction(): void
  /** Must be awaited before the database is closed, because only the last connection removes the log. */
  close(): Promise<void>
}

/**
 * Copies the write-ahead log into the database file in another thread. This takes several milliseconds, and in the thread of the
 * calls it would double their p99 at one connection. The first checkpoint of a long log runs while transactions continue. The
 * next transaction waits for a second, short checkpoint. Otherwise the log would never be copied completely, and SQLite could
 * never restart it. Transactions also wait if the log grows faster than it is copied.
 */
export function createLogCheckpoints(sqlite: SQLite.Database, file: string): LogCheckpoints {
  sqlite.pragma(`journal_size_limit = ${MAX_LOG_BYTES}`)
  sqlite.pragma('wal_autocheckpoint = 0')
  let worker: Worker | undefined
  let hasFailed = false
  let running: Promise<void> | undefined
  /** Whether the last checkpoint ran during transactions, so that part of the log may not be copied. */
  let isIncomplete = false

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

  /** Used if the machine has too little memory for another thread. */
  function useThisThread(): void {
    hasFailed = true
    sqlite.pragma(`wal_autocheckpoint = ${MAX_LOG_PAGES}`)
  }

  return {
    async beforeTransaction() {
      if (running && logBytes() > 2 * MAX_LOG_BYTES) await running
      if (running || !isIncomplete || hasFailed) return
      isIncomplete = false
      await checkpoint()
    },
    afterTransaction() {
      if (hasFailed || running || isIncomplete || logBytes() <= MAX_LOG_BYTES) return
      running = checkpoint().finally(() => {
        running = undefined
        isIncomplete = true
      })
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
    // The thread does not get the process's own options, such as a module to import.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
