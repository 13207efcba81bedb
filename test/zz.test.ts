import { test } from 'vitest'
import { openSandbox } from './support/sandbox.ts'
test('time', async () => {
  for (let i = 0; i < 5; i++) {
    const s = await openSandbox()
    await s.close()
  }
  const c0 = process.cpuUsage()
  const t0 = performance.now()
  for (let i = 0; i < 50; i++) {
    const s = await openSandbox()
    await s.close()
  }
  const c = process.cpuUsage(c0)
  console.log('per open+close ms wall', (performance.now() - t0) / 50, 'cpu', (c.user + c.system) / 50000)
  const s = await openSandbox()
  await s.createLink()
  const c1 = process.cpuUsage()
  const t1 = performance.now()
  for (let i = 0; i < 100; i++) await s.createLink()
  const d = process.cpuUsage(c1)
  console.log('per call ms wall', (performance.now() - t1) / 100, 'cpu', (d.user + d.system) / 100000)
  await s.close()
}, 60000)
