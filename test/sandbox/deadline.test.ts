/** A job's timeout is kept even while the thread that runs svc is busy. */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { afterEach, expect, it } from 'vitest'
import { startDeadlineThread } from '#node/deadline-thread.ts'
import { childrenOf } from '#sandbox/linux/process-tree.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { bubblewrapProvider, denoProvider, main, openPool, resultOf, runJob } from './job.ts'

let pool: Sandbox | undefined
afterEach(() => pool?.close())

/** Processes below this one that are alive: neither gone nor zombies. */
const living = (pid: number): readonly number[] =>
  childrenOf(pid).flatMap((child) => {
    try {
      const stat = readFileSync(`/proc/${child}/stat`, 'utf8')
      const isDead = /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
      return isDead ? living(child) : [child, ...living(child)]
    } catch {
      return []
    }
  })

it.each([
  ['deno', denoProvider],
  ['bubblewrap', bubblewrapProvider],
])('ends the job in time under %s, though no timer can fire', async (_name, provider) => {
  const before = new Set(living(process.pid))
  pool = openPool(provider(), { deadlines: startDeadlineThread() })
  const begun = Promise.withResolvers<void>()
  const run = runJob(pool, {
    code: main('console.log("on"); for (;;) {}'),
    limits: { timeoutMs: 1_000 },
    onLog: () => begun.resolve(),
  })
  await begun.promise
  const isRunning = (): boolean => living(process.pid).some((pid) => !before.has(pid))
  expect(isRunning()).toBe(true)
  // block the event loop from here on
  const until = performance.now() + 10_000
  while (isRunning() && performance.now() < until);
  expect(performance.now()).toBeLessThan(until)
  expect((await run).outcome).toMatchObject({ error: { name: 'Timeout' } })
  expect(await resultOf(pool, { code: main('return 7') })).toBe(7)
})

it('leaves a job alone that ends in its time', async () => {
  pool = openPool(denoProvider(), { deadlines: startDeadlineThread() })
  const code = main('return Deno.pid')
  const limits = { timeoutMs: 3_000 }
  const pid = await resultOf(pool, { code, limits })
  const until = performance.now() + 4_000
  while (performance.now() < until);
  expect(await resultOf(pool, { code, limits: { timeoutMs: 5_000 } })).toBe(pid)
})
