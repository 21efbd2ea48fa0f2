/** A canceled job may clean up before it is killed [jobs 7.2]. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import type { Sandbox, SandboxOutcome } from '#sandbox/sandbox.ts'
import { main, openPool, PROVIDERS, resultOf } from './job.ts'

type Ended = Readonly<{
  outcome: SandboxOutcome
  log: string
  /** Milliseconds from the cancel to the end. */
  ms: number
  state: ReturnType<typeof createMemoryState>
}>

/** Cancels a job once it has logged `ready`. */
const cancelReady = async (pool: Sandbox, code: string, graceMs: number): Promise<Ended> => {
  const cancel = new AbortController()
  const state = createMemoryState()
  let log = ''
  let canceledAt = 0
  const outcome = await pool.run(
    {
      key: { ws: 'acme', app: 'app', commit: 'c1' },
      job: { id: 'job-1', action: 'act', attempt: 1 },
      fresh: false,
      entrypoint: 'actions/act.ts',
      bundleHash: code,
      loadCode: async () => ({ code, sourceMap: '' }),
      inputJson: '{}',
      trigger: { kind: 'api' },
      variables: {},
      resources: {},
      limits: {
        timeoutMs: 20_000,
        cancelGraceMs: graceMs,
        memoryMb: 256,
        resultBytes: 10_000,
        logBytes: 10_000,
        network: [],
      },
    },
    {
      onLog: (text) => {
        log += text
        if (canceledAt > 0 || !log.includes('ready')) return
        canceledAt = performance.now()
        cancel.abort()
      },
      canceled: cancel.signal,
      state,
      start: () => Promise.reject(new Error('none')),
      cancel: () => Promise.reject(new Error('none')),
      getResumeUrls: () => Promise.reject(new Error('none')),
    },
    new AbortController().signal,
  )
  return { outcome, log, ms: performance.now() - canceledAt, state }
}

const UNTIL_ABORT =
  'await new Promise((go) => ctx.signal.addEventListener("abort", go)); ctx.log("seen", ctx.signal.reason.name)'

describe.each(PROVIDERS)('a canceled job under %s', (_name, provider) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(provider())
  })
  afterAll(() => pool.close())

  it('sees its signal abort, keeps state and log while it cleans up, and ends at once then', async () => {
    const code = main(
      `ctx.signal; ctx.log("ready"); ${UNTIL_ABORT}; await ctx.state.set("cleaned", true); return "discarded"`,
    )
    const { outcome, log, ms, state } = await cancelReady(pool, code, 10_000)
    expect(outcome).toEqual({ kind: 'aborted' })
    expect(log).toContain('seen Canceled')
    expect((await state.get('cleaned'))?.json).toBe('true')
    expect(ms).toBeLessThan(5_000)
  })

  it('has aborted already for a script that looks at its signal late', async () => {
    const code = main(
      'ctx.log("ready"); await new Promise((go) => setTimeout(go, 300)); const { signal } = ctx; await new Promise((go) => setTimeout(go, 300)); ctx.log("aborted", signal.aborted)',
    )
    expect((await cancelReady(pool, code, 10_000)).log).toContain('aborted true')
  })

  it('is killed at the end of its grace, a busy loop too', async () => {
    const code = main('ctx.log("ready"); ctx.signal; for (;;) {}')
    const { outcome, ms } = await cancelReady(pool, code, 1_000)
    expect(outcome).toEqual({ kind: 'aborted' })
    expect(ms).toBeGreaterThan(900)
    expect(ms).toBeLessThan(5_000)
  })

  it('is killed at once without grace', async () => {
    const code = main('ctx.log("ready"); await new Promise((go) => setTimeout(go, 9_000))')
    const { outcome, ms } = await cancelReady(pool, code, 0)
    expect(outcome).toEqual({ kind: 'aborted' })
    expect(ms).toBeLessThan(5_000)
  })

  it('was not canceled: its process takes the next job at once, however it ended', async () => {
    const returns = main(
      'await ctx.state.get("a"); return [ctx.signal.aborted, await ctx.state.get("a")]',
    )
    const throws = main('ctx.signal; throw new Error("no")')
    const before = performance.now()
    expect(await resultOf(pool, { code: returns })).toEqual([false, null])
    await cancelReady(pool, throws, 1_000)
    expect(await resultOf(pool, { code: returns })).toEqual([false, null])
    expect(await resultOf(pool, { code: returns })).toEqual([false, null])
    expect(performance.now() - before).toBeLessThan(4_000)
  })
})
