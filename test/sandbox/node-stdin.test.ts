/** What a guest does while it waits for its host [jobs 7.2]. */
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { main, nodeProvider, openPool, RUNTIMES, resultOf, runJob } from './job.ts'

/** How often the main thread of a process has gone to sleep since it started. */
const sleepsOf = (pid: number): number => {
  const [, count] =
    /^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(count)
}

describe.each(RUNTIMES)('a guest under %s', (_name, provider) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(provider())
  })
  afterAll(() => pool.close())

  it('sleeps between its jobs', async () => {
    const code = main('return (await import("node:process")).default.pid')
    const pid = Number(await resultOf(pool, { code }))
    await setTimeout(200)
    const before = sleepsOf(pid)
    await setTimeout(500)
    expect(sleepsOf(pid) - before).toBeLessThan(20)
  })

  it('runs its timers while the script watches its signal', async () => {
    const code = main('ctx.signal; await new Promise((go) => setTimeout(go, 50)); return "went on"')
    expect(await resultOf(pool, { code })).toBe('went on')
  })

  it('ends at once when the script exits while it watches its signal', async () => {
    const began = performance.now()
    const code = main(
      'ctx.signal; await new Promise((go) => setTimeout(go, 50)); (await import("node:process")).default.exit(3); await new Promise(() => {})',
    )
    const { outcome } = await runJob(pool, { code, limits: { timeoutMs: 15_000 } })
    expect(outcome.kind).not.toBe('success')
    expect(performance.now() - began).toBeLessThan(10_000)
  })
})

it('gives a script on Node an empty stdin, and takes further jobs', async () => {
  const pool = openPool(nodeProvider())
  const read = main(
    'const { stdin } = (await import("node:process")).default; let text = ""; for await (const part of stdin) text += part; return text',
  )
  expect(await resultOf(pool, { code: read })).toBe('')
  expect(await resultOf(pool, { code: main('return await ctx.state.get("a")') })).toBe(null)
  await pool.close()
})
