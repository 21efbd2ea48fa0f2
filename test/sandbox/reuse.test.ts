import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import { processorMs } from '#sandbox/linux/process-tree.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { denoProvider, type Job, main, openPool, resultOf, runJob } from './job.ts'

/** Counts the jobs that this process has run, and returns its id. */
const COUNT = main(
  'globalThis.count = (globalThis.count ?? 0) + 1; return [Deno.pid, globalThis.count]',
)

const pools: Sandbox[] = []
const pool = (options: Parameters<typeof openPool>[1] = {}): Sandbox => {
  const opened = openPool(denoProvider(), options)
  pools.push(opened)
  return opened
}
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(pools.splice(0).map((opened) => opened.close()))
})

const count = async (sandbox: Sandbox, job: Partial<Job> = {}): Promise<[number, number]> => {
  const [pid, jobs] = (await resultOf(sandbox, { ...job, code: COUNT })) as [number, number]
  return [pid, jobs]
}

const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const until = async (condition: () => boolean): Promise<void> => {
  for (const end = Date.now() + 5_000; !condition() && Date.now() < end; ) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(condition()).toBe(true)
}

describe('a process', () => {
  it('serves further jobs of its workspace, app and commit, and of nothing else', async () => {
    const sandbox = pool({ maxIdle: 10 })
    const [pid] = await count(sandbox)
    expect(await count(sandbox)).toEqual([pid, 2])
    const others = [
      { ws: 'other' },
      { app: 'other' },
      { commit: 'c2' },
      { limits: { memoryMb: 100 } },
    ]
    for (const other of others) {
      const [otherPid, jobs] = await count(sandbox, other)
      expect(otherPid).not.toBe(pid)
      expect(jobs).toBe(1)
    }
    expect(await count(sandbox)).toEqual([pid, 3])
  })

  it('sees nothing that a job of another key left: 40 pairs of poisoner and victim', async () => {
    const sandbox = pool({ warm: 2, maxIdle: 100 })
    const poison = main(`
      globalThis.leak = "secret"; Object.prototype.isAdmin = true; JSON.parse = () => "forged"
      Array.prototype.push = () => { throw new Error("patched") }
      Deno.writeTextFileSync("leak", "secret"); Deno.makeTempFileSync()
      try { localStorage.setItem("leak", "secret") } catch {}
      try { const c = await caches.open("leak"); await c.put("http://a.b/", new Response("secret")) } catch {}
      return Deno.pid`)
    const look = main(`
      const stored = (() => { try { return localStorage.getItem("leak") } catch { return null } })()
      const cached = await (async () => { try { return await (await caches.match("http://a.b/"))?.text() ?? null } catch { return null } })()
      return [globalThis.leak ?? null, ({}).isAdmin ?? null, JSON.parse("1"), [...Deno.readDirSync(".")].length, stored, cached]`)
    await Promise.all(
      Array.from({ length: 20 }, async (_, pair) => {
        const victim = pair % 2 === 0 ? { ws: `v${pair}` } : { app: `v${pair}` }
        await runJob(sandbox, { code: poison, app: `p${pair}` })
        expect(await resultOf(sandbox, { ...victim, code: look })).toEqual([
          null,
          null,
          1,
          0,
          null,
          null,
        ])
        await runJob(sandbox, { code: poison, commit: `p${pair}` })
        expect(await resultOf(sandbox, { commit: `v${pair}`, code: look })).toEqual([
          null,
          null,
          1,
          0,
          null,
          null,
        ])
      }),
    )
  })

  it('never runs two jobs at once', async () => {
    const sandbox = pool()
    const code = main('await new Promise((r) => setTimeout(r, 50)); return Deno.pid')
    const pids = await Promise.all([1, 2, 3].map(() => resultOf(sandbox, { code })))
    expect(new Set(pids).size).toBe(3)
  })

  it('is a job’s own with isolation fresh, before and after it', async () => {
    const sandbox = pool()
    const [pid] = await count(sandbox)
    const [freshPid, jobs] = await count(sandbox, { fresh: true })
    expect([freshPid === pid, jobs]).toEqual([false, 1])
    await until(() => !isRunning(freshPid))
    expect(await count(sandbox)).toEqual([pid, 2])
  })

  it('is each job’s own when reuse is off', async () => {
    const sandbox = pool({ reuse: false, warm: 1 })
    const [first, second] = [await count(sandbox), await count(sandbox)]
    expect(first[0]).not.toBe(second[0])
    expect([first[1], second[1]]).toEqual([1, 1])
  })

  it('ends after ten minutes without a job', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const sandbox = pool()
    const [pid] = await count(sandbox)
    vi.advanceTimersByTime(595_000)
    expect(isRunning(pid)).toBe(true)
    vi.advanceTimersByTime(20_000)
    await until(() => !isRunning(pid))
  })

  it('ends when it goes on computing without a job', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const sandbox = pool()
    const derive = main(`
      const key = await crypto.subtle.importKey('raw', new Uint8Array(8), 'PBKDF2', false, ['deriveBits'])
      const how = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(8), iterations: 2_000_000_000 }
      crypto.subtle.deriveBits(how, key, 256)
      return Deno.pid`)
    const pid = Number(await resultOf(sandbox, { code: derive }))
    vi.advanceTimersByTime(10_000)
    const before = processorMs(pid)
    await expect.poll(() => processorMs(pid), { timeout: 30_000 }).toBeGreaterThan(before + 1_100)
    expect(isRunning(pid)).toBe(true)
    vi.advanceTimersByTime(10_000)
    await until(() => !isRunning(pid))
  })

  it('makes room when more keys wait than the pool keeps, the longest idle first', async () => {
    const sandbox = pool({ maxIdle: 2 })
    const [a] = await count(sandbox, { app: 'a' })
    const [b] = await count(sandbox, { app: 'b' })
    expect(await count(sandbox, { app: 'a' })).toEqual([a, 2])
    await count(sandbox, { app: 'c' })
    await until(() => !isRunning(b))
    expect(await count(sandbox, { app: 'a' })).toEqual([a, 3])
  })

  it('is not used again after it has grown beyond its memory mark', async () => {
    const sandbox = pool()
    const grow = main('globalThis.kept = new Uint8Array(120e6).fill(1); return Deno.pid')
    const pid = await resultOf(sandbox, { code: grow })
    const pids = new Set<number>()
    for (let job = 0; job < 30; job += 1) pids.add((await count(sandbox))[0])
    expect(pids.size).toBe(2)
    expect([...pids][0]).toBe(pid)
  })

  it('is not used again when its folder is half full', async () => {
    const sandbox = pool()
    const fill = main(
      'for (let i = 0; i < 600; i++) Deno.writeTextFileSync(String(i), ""); return Deno.pid',
    )
    const pid = await resultOf(sandbox, { code: fill })
    expect((await count(sandbox))[0]).not.toBe(pid)
  })

  it.each([
    'new Worker("data:text/javascript,setInterval(() => console.log(1), 1)", { type: "module" })',
    'new (await import("node:worker_threads")).Worker("setInterval(() => console.log(1), 1)", { eval: true })',
  ])('is not used again when a job has left a thread behind: %s', async (start) => {
    const sandbox = pool()
    const leave = main(`${start}; await new Promise((r) => setTimeout(r, 100)); return Deno.pid`)
    const pid = await resultOf(sandbox, { code: leave })
    const wait = main('await new Promise((r) => setTimeout(r, 50)); return Deno.pid')
    const { outcome, log } = await runJob(sandbox, { code: wait })
    expect(outcome).toMatchObject({ kind: 'success' })
    expect(outcome).not.toEqual({ kind: 'success', resultJson: String(pid) })
    expect(log).toBe('')
  })

  it('is started ahead and serves the first job of a key', async () => {
    const sandbox = pool({ warm: 2 })
    const ahead = async () => {
      const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
      return children.trim().split(' ').map(Number)
    }
    await until(
      () =>
        readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').length >=
        2,
    )
    expect(await ahead()).toContain((await count(sandbox))[0])
  })

  it('is replaced when it died before its first use', async () => {
    const sandbox = pool({ warm: 1 })
    const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()
    await until(() => children() !== '')
    const pid = Number(children().split(' ')[0])
    // the host has not noticed it yet when the job comes
    process.kill(pid, 'SIGKILL')
    expect((await count(sandbox))[1]).toBe(1)
    const [used] = await count(sandbox)
    process.kill(used, 'SIGKILL')
    expect((await count(sandbox))[1]).toBe(1)
  })

  it('takes its temporary folder with it', async () => {
    const sandbox = pool()
    const folder = String(
      await resultOf(sandbox, {
        code: main('Deno.writeTextFileSync("a", "b"); return Deno.cwd()'),
      }),
    )
    expect(readdirSync(folder)).toEqual(['a'])
    await sandbox.close()
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(tmpdir()).filter((name) => name.includes(`-${process.pid}-`))).toEqual([])
  })
})

describe('a job', () => {
  it('leaves nothing to the next one but the module: no timer, no output, no error', async () => {
    const sandbox = pool()
    // all of it waits until the next job has begun
    const first = main(`
      globalThis.ticks = globalThis.steps = 0
      const late = () => { console.log("late"); console.error("late"); ctx.log("late"); throw new Error("late") }
      setInterval(() => { if (globalThis.next) { globalThis.ticks++; late() } }, 1)
      ;(async () => {
        while (!globalThis.next) await Deno.stat(".")
        for (;;) { globalThis.steps++; void Promise.reject(new Error("late")); try { late() } catch {}; await Deno.stat(".") }
      })()
      ctx.log("first")`)
    const second = main(
      'globalThis.next = true; for (let n = 0; n < 5 || (n < 500 && globalThis.steps < 2); n++) await new Promise((r) => setTimeout(r, 10)); ctx.log("second"); return [globalThis.ticks, globalThis.steps > 1]',
    )
    expect(await runJob(sandbox, { code: first })).toEqual({
      outcome: { kind: 'success', resultJson: 'null' },
      log: 'first\n',
    })
    // the control: what the first job left behind did run on
    expect(await runJob(sandbox, { code: second })).toEqual({
      outcome: { kind: 'success', resultJson: '[0,true]' },
      log: 'second\n',
    })
  })

  it('keeps what its module set up while it loaded', async () => {
    const sandbox = pool()
    const code = `let ticks = 0; setInterval(() => { ticks++ }, 1); ${main(
      'const before = ticks; await new Promise((r) => setTimeout(r, 20)); return ticks > before',
    )}`
    expect(await resultOf(sandbox, { code })).toBe(true)
    expect(await resultOf(sandbox, { code })).toBe(true)
  })

  it.each([
    ['throws', 'ctx.state.get("a").catch(() => null); throw new Error("over")'],
    [
      'has a rejection',
      'ctx.state.get("a"); Promise.reject(new Error("over")); await new Promise(() => {})',
    ],
    [
      'throws while calls queue',
      'for (let n = 0; n < 2_000; n++) ctx.state.get("a").catch(() => null); throw new Error("over")',
    ],
    [
      'watches for its cancel and throws',
      'ctx.signal; ctx.state.get("a").catch(() => null); throw new Error("over")',
    ],
    ['returns between two calls', 'ctx.state.update("a", () => 1); return "over"'],
    [
      'returns in a chain of calls that goes on when refused',
      '(async () => { for (;;) await ctx.state.get("a").catch(() => null) })(); return "over"',
    ],
    [
      'returns in a chain of calls',
      '(async () => { for (;;) await ctx.state.get("a") })().catch(() => null); return "over"',
    ],
  ])('leaves no open call to the next one when it %s', async (_, act) => {
    const sandbox = pool()
    const memory = createMemoryState()
    const get: typeof memory.get = async (key) => {
      await setTimeout(5)
      return await memory.get(key)
    }
    const state = { ...memory, get }
    const [pid] = await count(sandbox)
    expect(JSON.stringify((await runJob(sandbox, { code: main(act), state })).outcome)).toContain(
      'over',
    )
    const next = main('return [Deno.pid, await ctx.state.get("b")]')
    expect(await resultOf(sandbox, { code: next, state })).toEqual([pid, null])
  })

  it('cannot reach the state any more once it has ended', async () => {
    const sandbox = pool()
    const state = createMemoryState()
    const keep = main('globalThis.late = () => ctx.state.set("a", 1)')
    await runJob(sandbox, { code: keep, state })
    const use = main(
      'try { await globalThis.late(); return "kept" } catch (error) { return error.message }',
    )
    expect(await resultOf(sandbox, { code: use, state })).toContain('The job has ended')
    expect((await state.list('', null)).keys).toEqual([])
  })
})
