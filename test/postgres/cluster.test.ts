import { expect } from 'vitest'
import { runCluster } from '../../scripts/crash/run-cluster.js'
import { findOrFetchPostgres } from '../../scripts/find-postgres.js'
import { test } from '../support/test.ts'

test('replicas lose nothing that they answered while leaders are killed and stopped', async () => {
  const incidents = ['kill', 'cut the connection', 'stop'] as const
  const { problems, answers } = await runCluster({ programs: findOrFetchPostgres()!, incidents, seed: 1 })
  expect(problems).toEqual([])
  expect(answers).toBeGreaterThan(100)
})
