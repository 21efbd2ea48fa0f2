import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { errorOf, main, openPool, PROVIDERS, resultOf, runJob } from './job.ts'

const SOURCE_MAP = JSON.stringify({
  version: 3,
  sources: ['actions/act.ts'],
  names: [],
  // generated line 2, column 8 -> source line 41, column 4
  mappings: ';QAwCI',
})

describe.each(PROVIDERS)('a job under %s', (_name, provider) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(provider())
  })
  afterAll(() => pool.close())

  it('is given its context with input, trigger, variables, resources and facts of the job', async () => {
    const code = main(
      'return { input: ctx.input, trigger: ctx.trigger, variables: ctx.variables, resources: ctx.resources, job: ctx.job }',
    )
    const trigger = { kind: 'webhook', raw: 'r\n"', headers: { 'X-A': 'b' } } as const
    expect(await resultOf(pool, { code, input: { a: ['ü', '\u2028', 1] }, trigger })).toEqual({
      input: { a: ['ü', '\u2028', 1] },
      trigger,
      variables: { TOKEN: 't1' },
      resources: { db: { host: 'h' } },
      job: { id: 'job-1', app: 'app', action: 'act', commit: 'c1', attempt: 1 },
    })
  })

  it('may replace its input, and cannot change who it is', async () => {
    const code = main(
      'ctx.input = 2; try { ctx.job.id = "x" } catch {} try { ctx.variables.TOKEN = "x" } catch {} return [ctx.input, ctx.job.id, ctx.variables.TOKEN]',
    )
    expect(await resultOf(pool, { code })).toEqual([2, 'job-1', 't1'])
  })

  it('reports that no attempt is to follow a NonRetryableError, by its mark or its name', async () => {
    const marked = main(
      'const e = new Error("no"); e.name = "CardDeclined"; e[Symbol.for("svc.nonRetryable")] = true; throw e',
    )
    const failure = { kind: 'failure', isFinal: true }
    expect((await runJob(pool, { code: marked })).outcome).toMatchObject({
      ...failure,
      error: { name: 'CardDeclined', message: 'no' },
    })
    const named = main('const e = new Error("no"); e.name = "NonRetryableError"; throw e')
    expect((await runJob(pool, { code: named })).outcome).toMatchObject(failure)
    const plain = await runJob(pool, { code: main('throw new Error("no")') })
    expect(plain.outcome).not.toHaveProperty('isFinal')
  })

  it('returns null when main returns nothing', async () => {
    expect(await resultOf(pool, { code: main('') })).toBeNull()
  })

  it('keeps state by the host, many questions at once, values untouched', async () => {
    const state = createMemoryState()
    const code = main(
      'await Promise.all(Array.from({ length: 200 }, (_, i) => ctx.state.set("k" + i, { i }))); const all = await Promise.all(Array.from({ length: 200 }, (_, i) => ctx.state.get("k" + i))); return [all.length, all[199], await ctx.state.get("none")]',
    )
    expect(await resultOf(pool, { code, state })).toEqual([200, { i: 199 }, null])
    expect((await state.get('k7'))?.json).toBe('{"i":7}')
  })

  it('ends only when the state that it did not wait for is kept', async () => {
    const state = createMemoryState()
    expect(await resultOf(pool, { code: main('ctx.state.set("a", 1); return 1'), state })).toBe(1)
    expect((await state.get('a'))?.json).toBe('1')
  })

  it('refuses state without a key', async () => {
    expect((await errorOf(pool, main('await ctx.state.get("")'))).name).toBe('TypeError')
  })

  it('logs by ctx.log, the console, raw stdout and raw stderr, in order', async () => {
    const { log } = await runJob(pool, {
      code: main(`
        const write = globalThis.Deno
          ? (text, to = 'stdout') => Deno[to].writeSync(new TextEncoder().encode(text))
          : (text, to = 'stdout') => process.getBuiltinModule('fs').writeSync(to === 'stdout' ? 1 : 2, text)
        ctx.log("a", { b: 1 })
        console.log("%s!", "b")
        write("räw ")
        write("err ", "stderr")
        console.error("ü")
        console.table([[1]])
        write("last", "stderr")`),
    })
    expect(log).toMatch(/^a \{ b: 1 \}\nb!\nräw err ü\n.*│.*\nlast$/s)
  })

  it('fails by what it throws', async () => {
    expect(await errorOf(pool, main('throw new RangeError("too far")'))).toEqual({
      name: 'RangeError',
      message: 'too far',
    })
    const custom = 'class AcmeError extends Error { name = "AcmeError" }; throw new AcmeError("x")'
    expect(await errorOf(pool, main(custom))).toEqual({ name: 'AcmeError', message: 'x' })
    expect(await errorOf(pool, main('throw "plain"'))).toEqual({ name: 'Error', message: 'plain' })
    expect(await errorOf(pool, main('throw null'))).toEqual({ name: 'Error', message: 'null' })
    expect(await errorOf(pool, main('throw { code: 7 }'))).toEqual({
      name: 'Error',
      message: '{ code: 7 }',
    })
    expect(await errorOf(pool, main('throw { get message() { throw 1 } }'))).toMatchObject({
      name: 'Error',
    })
    expect(await errorOf(pool, main('return Promise.reject(new Error("no"))'))).toMatchObject({
      message: 'no',
    })
  })

  it('fails by what its module throws, and by text that is not a module', async () => {
    const onLoad = 'throw new Error("on load"); export const main = 1'
    expect(await errorOf(pool, onLoad)).toMatchObject({ message: 'on load' })
    expect((await errorOf(pool, 'export const main = (')).name).toMatch(/SyntaxError|TypeError/)
  })

  it('names the author’s file and line in stacks, without frames of svc', async () => {
    const code = 'export const main = () => {\n  throw new Error("here")\n}'
    const plain = await runJob(pool, { code })
    expect(plain.log).toContain('svc-bundle:actions/act.ts:2:9')
    const mapped = await runJob(pool, { code: `${code}\n//`, sourceMap: SOURCE_MAP })
    expect(mapped.log).toContain('Error: here\n')
    expect(mapped.log).toContain('actions/act.ts:41:5')
    for (const { log } of [plain, mapped])
      expect(log).not.toMatch(/guest|blob:|file:|node:internal/)
  })

  it('fails by an unhandled rejection or an error outside main', async () => {
    expect(await errorOf(pool, main('void Promise.reject(new Error("r1"))'))).toMatchObject({
      message: 'r1',
    })
    const timer = 'setTimeout(() => { throw new Error("t1") }, 1); await new Promise(() => {})'
    expect(await errorOf(pool, main(timer))).toMatchObject({ message: 't1' })
    const task = 'queueMicrotask(() => { throw new Error("m1") }); await new Promise(() => {})'
    expect(await errorOf(pool, main(task))).toMatchObject({ message: 'm1' })
  })

  it('fails clearly without a main', async () => {
    const error = await errorOf(pool, 'export const other = 1')
    expect(error.name).toBe('InvalidAction')
    expect(error.message).toContain('export async function main(ctx)')
  })

  it.each([
    'return () => 1',
    'const a = {}; a.a = a; return a',
    'return 1n',
    'return Symbol("s")',
    'return { toJSON() { throw new Error("x") } }',
    'return { toJSON() { throw new Error("x".repeat(200_000)) } }',
  ])('refuses a result that is not JSON: %s', async (body) => {
    expect((await errorOf(pool, main(body))).name).toBe('InvalidResult')
  })

  it('refuses a result that is too large, counted in bytes, and serves on', async () => {
    const code = main('return "ü".repeat(ctx.input.n)')
    const limits = { resultBytes: 1_002 }
    expect(await runJob(pool, { code, limits, input: { n: 501 } })).toMatchObject({
      outcome: { error: { name: 'ResultTooLarge' } },
    })
    expect(await resultOf(pool, { code, limits, input: { n: 500 } })).toHaveLength(500)
  })

  it('refuses a result that nests without end', async () => {
    const code = main('let a = 1; for (let i = 0; i < 100; i++) a = [a]; return a')
    expect((await errorOf(pool, code)).name).toBe('InvalidResult')
  })

  it.each(['globalThis.Deno ? Deno.exit(7) : process.exit(7)', 'process.exit(7)'])(
    'fails when it ends its process by %s, and the next one runs',
    async (exit) => {
      expect(
        await errorOf(
          pool,
          main(`const { default: process } = await import("node:process"); ${exit}`),
        ),
      ).toEqual({
        name: 'SandboxCrashed',
        message: 'The process of the job ended by itself: exit code 7.',
      })
      expect(await resultOf(pool, { code: main('return 1') })).toBe(1)
    },
  )
})
