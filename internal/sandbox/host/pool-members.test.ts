import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Provider } from '../providers/provider.ts'
import { createPoolMembers } from './pool-members.ts'

/** Blocks the event loop as the start of a process does, so that a process may end before the next one starts. */
const block = (ms: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

it('starts no process in place of one that ends before its first job', async () => {
  let starts = 0
  const provider: Provider = {
    name: 'broken',
    level: 'none',
    commandFor: () => () => {
      starts += 1
      block(10)
      return { command: '/missing/runtime', args: [], env: {}, user: null, owner: null }
    },
    probe: async () => ({ ok: false, level: 'none', notes: [] }),
  }
  const defaultShape = { memoryMb: 128, network: null }
  const members = createPoolMembers(provider, { warm: 4, defaultShape, maxIdle: 1, reuse: true })
  await expect.poll(() => starts, { timeout: 20_000 }).toBe(4)
  // each start would follow within a turn
  for (let turns = 0; turns < 20; turns += 1) await turn()
  await members.close()
  expect(starts).toBe(4)
})
