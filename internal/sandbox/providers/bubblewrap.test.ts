import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { EgressProxy } from '../egress/proxy.ts'
import { createTotals } from '../egress/traffic.ts'
import type { Cgroups } from '../linux/cgroups.ts'
import { createBubblewrapProvider } from './bubblewrap.ts'

const full = (): never => {
  throw new Error('full')
}

const start = (egress: EgressProxy['open'], cgroups: Cgroups['open']): void => {
  const provider = createBubblewrapProvider({
    bwrapPath: '/usr/bin/bwrap',
    denoPath: '/bin/sh',
    runtimeDir: join(tmpdir(), 'svc-sandbox-test'),
    egress: { open: egress, totals: createTotals() },
    cgroups: { version: 2, open: cgroups },
    facts: { fault: null, libraries: [] },
  })
  provider.commandFor({ memoryMb: 128, network: null })('/nonexistent')
}

test('a guest that gets no control group leaves no proxy open', () => {
  const open = vi.fn(() => ({ beginJob: () => undefined, close: () => undefined }))
  expect(() => start(open, full)).toThrow('full')
  expect(open).not.toHaveBeenCalled()
})

test('a guest that gets no proxy leaves no control group', () => {
  const remove = vi.fn()
  const group = { hasEndedForMemory: () => false, remove }
  expect(() => start(full, () => ({ group, joins: [] }))).toThrow('full')
  expect(remove).toHaveBeenCalledOnce()
})
