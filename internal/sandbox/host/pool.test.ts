import { expect, it } from 'vitest'
import type { Provider } from '../providers/provider.ts'
import type { SandboxRun } from '../sandbox.ts'
import { createSandboxPool } from './pool.ts'

const RUN: SandboxRun = {
  key: { ws: 'w', app: 'a', commit: 'c' },
  job: { id: 'j', action: 'x', attempt: 1 },
  fresh: false,
  entrypoint: 'x.ts',
  bundleHash: 'h',
  loadCode: async () => ({ code: '', sourceMap: '' }),
  inputJson: '{}',
  trigger: { kind: 'api' },
  variables: {},
  resources: {},
  limits: {
    timeoutMs: 5_000,
    cancelGraceMs: 0,
    memoryMb: 128,
    resultBytes: 1_000,
    logBytes: 1_000,
    network: null,
  },
}

const runWith = async (commandFor: Provider['commandFor']) => {
  const provider: Provider = {
    name: 'broken',
    level: 'none',
    commandFor,
    probe: async () => ({ ok: false, level: 'none', notes: [] }),
  }
  const defaultShape = { memoryMb: 128, network: null }
  const pool = createSandboxPool(provider, { warm: 0, defaultShape, maxIdle: 1, reuse: true })
  const unused = async (): Promise<never> => {
    throw new Error('Nothing runs.')
  }
  const state = { get: unused, set: unused, compareAndSet: unused, delete: unused, list: unused }
  const callbacks = {
    onLog: () => undefined,
    state,
    getResumeUrls: unused,
    start: unused,
    cancel: unused,
  }
  try {
    return await pool.run(RUN, callbacks, new AbortController().signal)
  } finally {
    await pool.close()
  }
}

it('rejects if the machine lacks what a process needs', async () => {
  const starting = runWith(() => () => {
    throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  })
  await expect(starting).rejects.toMatchObject({ kind: 'unavailable', code: 'machine_short' })
})

it.each([
  "bwrap: Can't fork for pid 1: Resource temporarily unavailable",
  'Deno could not start: unable to create worker threads.',
])('rejects if the sandbox cannot start its runtime: %s', async (words) => {
  const args = ['-c', 'printf "%s\\n" "$1"; exit 1', 'sh', words]
  const failing = { command: '/bin/sh', args, env: {}, user: null, owner: null }
  await expect(runWith(() => () => failing)).rejects.toMatchObject({ code: 'machine_short' })
})

it('fails the job if the program of its process is missing', async () => {
  const missing = { command: '/missing/runtime', args: [], env: {}, user: null, owner: null }
  expect(await runWith(() => () => missing)).toMatchObject({
    kind: 'failure',
    error: { name: 'SandboxCrashed' },
  })
})
