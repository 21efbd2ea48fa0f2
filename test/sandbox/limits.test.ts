import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { errorOf, main, openPool, PROVIDERS, resultOf, runJob } from './job.ts'

const MARK = '\n[svc] The log limit is reached; further output is dropped.\n'

/** Writes without going through the guest, as a native library would. */
const RAW =
  'const raw = globalThis.Deno ? (bytes) => Deno.stdout.writeSync(bytes) : (bytes) => { const fs = process.getBuiltinModule("fs"); try { return fs.writeSync(1, bytes) } catch { return 0 } };'

describe.each(PROVIDERS)('a job under %s', (_name, provider) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(provider())
  })
  afterAll(() => pool.close())

  it.each([
    'for (;;) {}',
    'await new Promise(() => {})',
    'setInterval(() => {}, 1); await new Promise(() => {})',
  ])('fails with Timeout and states the limit: %s', async (body) => {
    expect(await errorOf(pool, main(body), { timeoutMs: 200 })).toEqual({
      name: 'Timeout',
      message: 'The job ran longer than its limit of 0.2 s.',
    })
  })

  it.each([
    'for (;;) {}',
    'process.on?.("SIGTERM", () => {}); for (;;) {}',
    'await new Promise(() => {})',
  ])('is killed within moments when the signal is aborted: %s', async (body) => {
    const controller = new AbortController()
    const code = main(`const process = globalThis.process ?? {}; console.log("on"); ${body}`)
    const begun = Promise.withResolvers<void>()
    const killed = runJob(pool, { code, signal: controller.signal, onLog: () => begun.resolve() })
    await begun.promise
    controller.abort()
    // before a job ends that begins now and takes a second
    const other = resultOf(pool, {
      code: main('await new Promise((resolve) => setTimeout(resolve, 1_000))'),
      app: 'other',
    })
    expect(await Promise.race([killed, other])).toMatchObject({ outcome: { kind: 'aborted' } })
    await other
  })

  it('does not begin when the signal is aborted before', async () => {
    const { outcome, log } = await runJob(pool, {
      code: main('console.log("began")'),
      signal: AbortSignal.abort(),
    })
    expect(outcome).toEqual({ kind: 'aborted' })
    expect(log).toBe('')
  })

  it('fails with OutOfMemory on the heap and off it', async () => {
    const limits = { memoryMb: 64 }
    const onHeap = 'const a = []; for (;;) a.push(new Array(1000).fill({}))'
    expect(await errorOf(pool, main(onHeap), limits)).toEqual({
      name: 'OutOfMemory',
      message: 'The job used more than its limit of 64 MB of memory.',
    })
    const offHeap =
      'const a = []; for (;;) { a.push(new Uint8Array(4e6).fill(1)); await new Promise((r) => setTimeout(r, 1)) }'
    expect((await errorOf(pool, main(offHeap), limits)).name).toBe('OutOfMemory')
  })

  it('may use the memory that it is allowed', async () => {
    const code = main('const a = new Uint8Array(50e6).fill(1); return a.length')
    expect(await resultOf(pool, { code, limits: { memoryMb: 64 } })).toBe(50e6)
  })

  it('fails with CpuLimit when its threads together use more than it may', async () => {
    const limits = { timeoutMs: 30_000, processorMs: 400 }
    expect(await errorOf(pool, main('for (;;) {}'), limits)).toEqual({
      name: 'CpuLimit',
      message: 'The job used more than its limit of 0.4 s of processor time.',
    })
    // processor time of earlier jobs does not count against a later one
    const spend = main('for (const end = Date.now() + 300; Date.now() < end; ) {} return 1')
    for (let job = 0; job < 3; job += 1) {
      expect(await resultOf(pool, { code: spend, limits: { ...limits, processorMs: 700 } })).toBe(1)
    }
  })

  it('fails with DiskLimit when it fills its folder, by many files or by large ones', async () => {
    const write =
      'const { mkdirSync, writeFileSync } = await import("node:fs"); const { tmpdir } = await import("node:os"); const pause = () => new Promise((r) => setTimeout(r, 1));'
    const many = `${write} for (let i = 0; ; i++) { const d = tmpdir() + "/" + i; mkdirSync(d); writeFileSync(d + "/f", ""); await pause() }`
    expect((await errorOf(pool, main(many))).name).toBe('DiskLimit')
    const large = `${write} const b = new Uint8Array(8e6); for (let i = 0; ; i++) { writeFileSync(tmpdir() + "/" + i, b); await pause() }`
    expect((await errorOf(pool, main(large))).name).toBe('DiskLimit')
    const one = `${write} for (;;) { writeFileSync(tmpdir() + "/one", new Uint8Array(8e6), { flag: "a" }); await pause() }`
    expect((await errorOf(pool, main(one))).name).toMatch(/DiskLimit|Error/)
  })

  it('fails with DiskLimit when it fills files that it has removed but keeps open', async () => {
    const code =
      main(`const fs = await import("node:fs"); const path = (await import("node:os")).tmpdir() + "/f"
      for (let file = 0; file < 3; file++) {
        const open = fs.openSync(path, "w")
        fs.rmSync(path)
        for (let part = 0; part < 7; part++) fs.writeSync(open, new Uint8Array(8e6))
      }
      await new Promise(() => {})`)
    expect((await errorOf(pool, code, { timeoutMs: 5_000 })).name).toBe('DiskLimit')
  })

  it('that left all the files open that it could leaves none of that to the next one', async () => {
    const write =
      'const fs = await import("node:fs"); const path = (await import("node:os")).tmpdir() + "/f"; fs.writeFileSync(path, "x");'
    const code = main(
      `${write} let n = 0; try { for (; n < 5000; n++) fs.openSync(path, "r") } catch {} return n`,
    )
    expect(await resultOf(pool, { code, app: 'descriptors' })).toBeGreaterThan(300)
    const next = main('return 7')
    expect(await resultOf(pool, { code: next, app: 'descriptors' })).toBe(7)
  })

  it('has its log cut at the limit, with one mark, at a whole character, and goes on', async () => {
    const code = main('for (let i = 0; i < 1e4; i++) console.log("üüüü"); return 1')
    const { outcome, log } = await runJob(pool, { code, limits: { logBytes: 1_001 } })
    expect(outcome).toEqual({ kind: 'success', resultJson: '1' })
    expect(log.endsWith(MARK)).toBe(true)
    expect(Buffer.byteLength(log.slice(0, -MARK.length))).toBeLessThanOrEqual(1_001)
    expect(Buffer.byteLength(log.slice(0, -MARK.length))).toBeGreaterThan(995)
    expect(log.split('[svc]')).toHaveLength(2)
    expect(log).not.toContain('\ufffd')
  })

  it('has raw output cut alike, and is not ended for it', async () => {
    const code = main(
      `${RAW} for (let i = 0; i < 300; ) i += raw(new Uint8Array(1e4).fill(97)) / 1e4; return 1`,
    )
    const { outcome, log } = await runJob(pool, { code, limits: { logBytes: 1_000 } })
    expect(outcome).toEqual({ kind: 'success', resultJson: '1' })
    expect(log).toBe('a'.repeat(1_000) + MARK)
  })

  it('may write a character in two pieces', async () => {
    const code = main(
      `${RAW} raw(new Uint8Array([0xe2, 0x82])); await new Promise((r) => setTimeout(r, 20)); raw(new Uint8Array([0xac]))`,
    )
    expect((await runJob(pool, { code })).log).toBe('€')
  })

  it('cannot take the host’s memory or time by a flood of output', async () => {
    const code = main(`${RAW} const b = new Uint8Array(1e6).fill(97); for (;;) raw(b)`)
    const before = process.memoryUsage().rss
    const longest = await leastLongestTurnMs(
      async () => {
        const flood = errorOf(pool, code, { timeoutMs: 1_500 })
        const beside = await resultOf(pool, { code: main('return 1'), app: 'beside' })
        expect((await flood).name).toBe('Timeout')
        expect(beside).toBe(1)
      },
      { enoughMs: 50 },
    )
    expect(longest).toBeLessThan(50)
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6)
  })
})
