/** A job may write anything to its process's stdout, but it reaches no other job. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { forger, tellingWord } from './frame-forger.ts'
import { denoProvider, type Job, main, openPool, resultOf, runJob } from './job.ts'

let pool: Sandbox
let forgers: Sandbox
beforeAll(() => {
  pool = openPool(denoProvider())
  forgers = openPool(tellingWord(denoProvider()))
})
afterAll(() => Promise.all([pool.close(), forgers.close()]))

let apps = 0
/** Runs a job in its own process, so that it is the first run of that process. */
const forge = (body: string, options: Pick<Job, 'state' | 'app'> = {}) => {
  apps += 1
  const code = forger(body)
  return runJob(forgers, { code, app: `forger-${apps}`, limits: { timeoutMs: 20_000 }, ...options })
}

const nameOf = async (ended: ReturnType<typeof forge>): Promise<string> => {
  const { outcome } = await ended
  return outcome.kind === 'failure' ? outcome.error.name : outcome.kind
}

describe('a forged frame', () => {
  it('can be written at all, so that the rest of this file tries something', async () => {
    expect(await forge('frame("r", 1, "42"); await forever')).toMatchObject({
      outcome: { kind: 'success', resultJson: '42' },
    })
  })

  it('of another run is passed over', async () => {
    const body = 'frame("r", 7, "42"); frame("l", 0, JSON.stringify("forged")); return 1'
    expect(await forge(body, { app: 'other-run' })).toEqual({
      outcome: { kind: 'success', resultJson: '1' },
      log: '',
    })
  })

  it('that came too early decides nothing of the next job', async () => {
    const app = 'early'
    await forge('frame("r", 2, "\\"stolen\\""); return 1', { app })
    expect(await resultOf(forgers, { code: main('return 2'), app })).toBe(2)
  })

  it.each([
    'frame("r", 1, "{broken"); await forever',
    'frame("e", 1, "{}"); await forever',
    'frame("e", 1, JSON.stringify({ name: "x".repeat(201), message: "" })); await forever',
    'frame("l", 1, "{}"); await forever',
    'frame("g", 1, "[]"); await forever',
    'frame("g", 1, JSON.stringify({ id: -1, key: "a" })); await forever',
    'frame("s", 1, JSON.stringify({ id: 1, key: "x".repeat(513) }) + "\\t1"); await forever',
    'frame("g", 1, "[".repeat(2e5)); await forever',
    'frame("l", 1, "[".repeat(3e5)); await forever',
    'frame("e", 1, "[".repeat(3e5)); await forever',
    'frame("l", 1, JSON.stringify("x".repeat(5e5))); await forever',
    'frame("s", 1, JSON.stringify({ id: 1, key: "a" }) + "\\t" + "1".repeat(5e5)); await forever',
    'frame("z", 1, "1"); await forever',
    'frame("r", "1e3", "1"); frame("r", "-1", "1"); await forever',
    'write("\\u001e" + word + "\\n"); await forever',
    'write("\\u001e" + word + "r" + "1".repeat(100) + " 1\\n"); await forever',
  ])('that is none ends its own process: %s', async (body) => {
    expect(await nameOf(forge(body))).toBe('SandboxCrashed')
  })

  it('that never ends is not kept beyond the limit of a result', async () => {
    const body = 'write("\\u001e" + word + "r1 "); for (;;) write("1".repeat(1e5))'
    expect(await nameOf(forge(body))).toBe('ResultTooLarge')
  })

  it('with a result beyond the limit is refused as any other', async () => {
    const body = 'frame("r", 1, JSON.stringify("x".repeat(1_000_001))); await forever'
    expect(await nameOf(forge(body))).toBe('ResultTooLarge')
  })

  it('with a deep result is refused as any other', async () => {
    const body = 'frame("r", 1, "[".repeat(1e4) + "]".repeat(1e4)); await forever'
    expect(await nameOf(forge(body))).toBe('InvalidResult')
  })

  it('about state reaches the job’s own state alone', async () => {
    const state = createMemoryState()
    const body =
      'frame("s", 1, JSON.stringify({ id: 900, key: "mine", ws: "other", app: "other" }) + "\\t1"); return ctx.state.get("mine")'
    expect(await forge(body, { state, app: 'state' })).toMatchObject({
      outcome: { kind: 'success', resultJson: '1' },
    })
    expect((await state.list('', null)).keys).toEqual(['mine'])
  })

  it('with a state value that is none is refused, and kept nowhere', async () => {
    const state = createMemoryState()
    const set = (value: string): string =>
      `frame("s", 1, JSON.stringify({ id: 900, key: "a" }) + "\\t" + ${value})`
    const body = `${set('"{broken"')}; ${set('"[".repeat(3e5)')}; ${set('JSON.stringify("x".repeat(3e5))')}; ${set('""')}; return ctx.state.get("a")`
    expect(await forge(body, { state })).toMatchObject({
      outcome: { kind: 'success', resultJson: 'null' },
    })
    expect((await state.list('', null)).keys).toEqual([])
  })
})

describe('the mark of a frame in ordinary output', () => {
  it('is output, with another word, without one, and at the end of a chunk', async () => {
    const text = '\u001e\u001eAAAAAAAAAAAAAAAAAAAAAAr1 1\n\u001e'
    const body = `const bytes = new TextEncoder().encode(${JSON.stringify(text)}); for (const byte of bytes) Deno.stdout.writeSync(new Uint8Array([byte])); await new Promise((r) => setTimeout(r, 20)); return 1`
    const { outcome, log } = await runJob(pool, { code: main(body), app: 'mark' })
    expect(outcome).toEqual({ kind: 'success', resultJson: '1' })
    expect(log).toBe(text)
  })
})

describe('the host’s messages to a guest', () => {
  it('may be eaten by a job that reads descriptor 0, and the next job gets another process', async () => {
    const code = main(
      'const fs = await import("node:fs"); fs.read(0, new Uint8Array(9), () => {}); await new Promise((r) => setTimeout(r, 300)); return Deno.pid',
    )
    const pid = await resultOf(pool, { code, app: 'reader' })
    expect(await resultOf(pool, { code: main('return Deno.pid'), app: 'reader' })).not.toBe(pid)
  })
})

describe('built-ins that a job replaced', () => {
  it('break its own process at most', async () => {
    const code = main(
      'JSON.parse = JSON.stringify = () => { throw 1 }; Promise.race = () => {}; TextEncoder.prototype.encode = () => new Uint8Array(1e6).fill(0x1e); Array.prototype.push = Map.prototype.get = () => { throw 2 }; globalThis.setTimeout = globalThis.setImmediate = null; return 1',
    )
    await runJob(pool, { code, app: 'broken', limits: { timeoutMs: 1_000 } })
    expect(await resultOf(pool, { code: main('return 2'), app: 'whole' })).toBe(2)
  })
})
