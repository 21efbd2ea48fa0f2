/** A job that writes as fast as it can slows down only itself: the host's event loop continues to run. */
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMemoryState } from '#sandbox/host/memory-state.ts'
import { JOB_REQUESTS } from '#sandbox/host/request-rate.ts'
import { MAX_OPEN_CALLS } from '#sandbox/protocol/messages.ts'
import type { Provider } from '#sandbox/providers/provider.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { StateAccess } from '#sandbox/state-access.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { watchTurns } from '../support/longest-turn.ts'
import { runs } from '../support/runs.ts'
import { forger, tellingWord } from './frame-forger.ts'
import {
  bubblewrapProvider,
  denoProvider,
  type Job,
  main,
  openPool,
  resultOf,
  runJob,
} from './job.ts'

/** Processor time of the host. */
const LONGEST_TURN_MS = 500
const TIMEOUT_MS = 1_500
/** How long a guest writes as fast as it can, in milliseconds. */
const FLOOD_MS = runs({ short: 700, long: 1_500 })

let pool: Sandbox | undefined
afterEach(async () => {
  await pool?.close()
})

const open = (provider: Provider = tellingWord(denoProvider())): Sandbox => {
  pool = openPool(provider)
  return pool
}

/** Runs the job. @returns how it ended, and the processor time that it took of the host in one turn and in all */
const flood = async (sandbox: Sandbox, job: Job) => {
  const lookAtTurns = watchTurns()
  const [startedAt, cpuBefore] = [performance.now(), cpuMs()]
  const { outcome, log } = await runJob(sandbox, {
    ...job,
    limits: { timeoutMs: TIMEOUT_MS, ...job.limits },
  })
  const [ms, hostMs] = [performance.now() - startedAt, cpuMs() - cpuBefore]
  const longestTurnMs = lookAtTurns()
  const ended = outcome.kind === 'failure' ? outcome.error.name : outcome.kind
  return { ended, log, ms, hostMs, longestTurnMs }
}

const countingState = (inner: StateAccess = createMemoryState()) => {
  const counts = { calls: 0, open: 0, mostOpen: 0 }
  const state: StateAccess = {
    ...inner,
    get: async (key) => {
      counts.calls += 1
      counts.open += 1
      counts.mostOpen = Math.max(counts.mostOpen, counts.open)
      await new Promise((resolve) => setImmediate(resolve))
      counts.open -= 1
      return inner.get(key)
    },
  }
  return { counts, state }
}

/** As much as a pipe takes at once, so that most of a flood is in one chunk. */
const BLOCK = (kind: string, payload: string): string =>
  `const block = encoder.encode(textOf("${kind}", 1, ${payload}).repeat(4_000)); for (;;) writeBytes(block)`

describe('a flood of frames', () => {
  it.each([
    ['questions about its state', BLOCK('g', 'JSON.stringify({ id: 1, key: "a" })')],
    ['state values', BLOCK('s', 'JSON.stringify({ id: 1, key: "a" }) + "\\t1"')],
    ['lists of keys', BLOCK('k', 'JSON.stringify({ id: 1, prefix: "", after: null })')],
    ['links for an approval', BLOCK('u', 'JSON.stringify({ id: 1, approver: "a" })')],
    ['empty log', BLOCK('l', 'JSON.stringify("")')],
    ['log lines', BLOCK('l', 'JSON.stringify("x\\n")')],
    ['pieces of an answer', BLOCK('p', 'JSON.stringify("")')],
    ['its own beginning', BLOCK('b', '""')],
    ['frames of another run', BLOCK('r', '"1"').replace(', 1,', ', 7,')],
    ['bytes, one by one', 'const one = new Uint8Array([97]); for (;;) stdout.writeSync(one)'],
    [
      'the beginning of a mark',
      'const marks = new Uint8Array(65_536).fill(0x1e); for (;;) writeBytes(marks)',
    ],
  ])('with %s ends by its timeout, and the host goes on', async (_name, body) => {
    const limits = { timeoutMs: FLOOD_MS }
    const { ended, longestTurnMs, hostMs } = await flood(open(), { code: forger(body), limits })
    expect(ended).toBe('Timeout')
    expect(longestTurnMs).toBeLessThan(LONGEST_TURN_MS)
    expect(hostMs).toBeLessThan(FLOOD_MS + 2_000)
  })

  it('asks no more than its rate, and no more at once than is read', async () => {
    const { counts, state } = countingState()
    const code = forger(BLOCK('g', 'JSON.stringify({ id: 1, key: "a" })'))
    const { ms } = await flood(open(), { code, state })
    const allowed = JOB_REQUESTS.burst + (JOB_REQUESTS.perS * ms) / 1_000 + MAX_OPEN_CALLS
    expect(counts.calls).toBeGreaterThan(0)
    expect(counts.calls).toBeLessThanOrEqual(allowed)
    expect(counts.mostOpen).toBeLessThanOrEqual(MAX_OPEN_CALLS)
  })

  it('lets other jobs run meanwhile, also when the operating system confines them', async () => {
    const sandbox = open(tellingWord(bubblewrapProvider()))
    const code = forger(BLOCK('g', 'JSON.stringify({ id: 1, key: "a" })'))
    const floods = [1, 2, 3].map((at) =>
      flood(sandbox, { code, app: `flood-${at}`, limits: { timeoutMs: 4_000 } }),
    )
    const honest = main('await ctx.state.set("a", 1); console.log("on"); return ctx.state.get("a")')
    expect(
      await resultOf(sandbox, { code: honest, app: 'honest', limits: { timeoutMs: 20_000 } }),
    ).toBe(1)
    for (const { ended, longestTurnMs } of await Promise.all(floods)) {
      expect(ended).toBe('Timeout')
      expect(longestTurnMs).toBeLessThan(LONGEST_TURN_MS)
    }
  })
})

describe('a job that does not read what it requested', () => {
  it('leaves no heap of answers with the host', async () => {
    const inner = createMemoryState()
    await inner.set('large', JSON.stringify('x'.repeat(250_000)))
    const { counts, state } = countingState(inner)
    // it sends requests and never reaches the line that reads a response
    const code = forger(
      'for (let id = 1; id < 5_000; id++) frame("g", 1, JSON.stringify({ id, key: "large" })); for (;;) ;',
    )
    const { ended } = await flood(open(), { code, state })
    expect(ended).toBe('Timeout')
    expect(counts.calls).toBeGreaterThan(0)
    // only what fits into the pipe has left the host
    expect(counts.calls).toBeLessThanOrEqual(2 * MAX_OPEN_CALLS)
  })

  it('gets them in the end: many large ones at once, with a log that could not be read in between', async () => {
    const state = createMemoryState()
    await state.set('large', JSON.stringify('x'.repeat(100_000)))
    const code = main(`
      const all = Array.from({ length: 40 }, () => ctx.state.get('large'))
      for (let line = 0; line < 3_000; line++) console.log('x'.repeat(100))
      return (await Promise.all(all)).filter((value) => value.length === 100_000).length`)
    expect(
      await resultOf(open(denoProvider()), { code, state, limits: { timeoutMs: 30_000 } }),
    ).toBe(40)
  })
})

describe('a result', () => {
  it.each([
    ['a million lists inside each other', '"[".repeat(1e6) + "]".repeat(1e6)', 'InvalidResult'],
    ['a million lists, never closed', '"[".repeat(1e6)', 'InvalidResult'],
    ['a million empty lists', '"[" + "[],".repeat(1e6) + "[]]"', 'success'],
    ['a million empty lists that are no JSON', '"[" + "[],".repeat(1e6) + "]"', 'SandboxCrashed'],
    ['one long text', 'JSON.stringify("x".repeat(3.9e6))', 'success'],
  ])('of %s blocks no other work', async (_name, text, end) => {
    const code = forger(`frame("r", 1, ${text}); await forever`)
    const limits = { resultBytes: 4_194_304, timeoutMs: 20_000 }
    const { ended, longestTurnMs } = await flood(open(), { code, limits })
    expect(ended).toBe(end)
    expect(longestTurnMs).toBeLessThan(LONGEST_TURN_MS)
  })
})

describe('what a job writes around its end', () => {
  it('counts for nothing after its answer', async () => {
    const code = forger(
      'write(textOf("r", 1, "1") + textOf("l", 1, JSON.stringify("late")).repeat(1_000) + textOf("r", 1, "2")); await forever',
    )
    expect(await flood(open(), { code })).toMatchObject({ ended: 'success', log: '' })
  })

  it('counts up to its last byte when the process ends right behind it', async () => {
    const body =
      'write(textOf("l", 1, JSON.stringify("x\\n")).repeat(5_000) + textOf("r", 1, "1")); Deno.exit(0)'
    const { ended, log } = await flood(open(), {
      code: forger(body),
      limits: { timeoutMs: 10_000 },
    })
    expect([ended, log.length]).toEqual(['success', 10_000])
  })

  it('is nothing more when it has closed its output: it fails by itself or by its timeout', async () => {
    const { ended } = await flood(open(), { code: forger('Deno.stdout.close(); return 1') })
    expect(['SandboxCrashed', 'Timeout']).toContain(ended)
  })
})

describe('the frame word', () => {
  it('is seen by no built-in that a job replaces', async () => {
    const code = main(`
      const { apply } = Reflect
      const { add } = Set.prototype
      const marks = new Set()
      let watched = 0
      const note = (code) => { watched += 1; if (code === 0x1e) apply(add, marks, ['frame']) }
      const look = (value) => {
        if (typeof value === 'string') { note(value.codePointAt(0)); if (value.startsWith('{"t":"hello"')) apply(add, marks, ['hello']) }
        else if (typeof value === 'object' && value !== null) for (let at = 0; at < 200; at++) note(value[at])
      }
      const spy = (holder, name) => {
        const found = Object.getOwnPropertyDescriptor(holder, name)
        const wrap = (native) => function (...values) { look(this); for (const value of values) look(value); const result = apply(native, this, values); look(result); return result }
        if (!found?.configurable && !found?.writable) return
        if (typeof found.value === 'function') holder[name] = wrap(found.value)
        else if (found.get && found.configurable) Object.defineProperty(holder, name, { ...found, get: wrap(found.get) })
      }
      const typed = Object.getPrototypeOf(Uint8Array.prototype)
      for (const name of ['set', 'subarray', 'slice', 'fill', 'indexOf', 'length', 'buffer', 'byteLength', 'byteOffset', 'at']) spy(typed, name)
      for (const name of ['encode', 'encodeInto']) spy(TextEncoder.prototype, name)
      spy(TextDecoder.prototype, 'decode')
      for (const name of ['stringify', 'parse']) spy(JSON, name)
      for (const name of ['apply', 'get', 'construct']) spy(Reflect, name)
      for (const name of ['slice', 'replaceAll', 'includes', 'split', 'concat', 'toString']) spy(String.prototype, name)
      for (const name of ['push', 'shift', 'join', 'slice', 'map']) spy(Array.prototype, name)
      for (const holder of [Deno.stdout, Object.getPrototypeOf(Deno.stdout)]) for (const name of ['write', 'writeSync']) spy(holder, name)
      for (const holder of [Deno.stdin, Object.getPrototypeOf(Deno.stdin)]) for (const name of ['read', 'readSync']) spy(holder, name)
      for (const name of ['log', 'info', 'error']) spy(console, name)
      for (const name of ['encode', 'writeSync', 'write', 'print']) try { spy(Deno[Deno.internal].core, name) } catch {}
      ctx.log('looking'); console.log('looking'); await ctx.state.set('a', 1); await ctx.state.get('a')
      return { watched: watched > 0, marks: [...marks] }`)
    expect(await resultOf(open(denoProvider()), { code })).toEqual({ watched: true, marks: [] })
  })

  it('is not in a snapshot of the heap', async () => {
    const bytes = Buffer.from('svc frame word !')
    const spy = vi.spyOn(crypto, 'randomBytes').mockImplementationOnce(() => bytes)
    onTestFinished(() => {
      spy.mockRestore()
      syncBuiltinESMExports()
    })
    // modules that imported the function by name see the spy from here on
    syncBuiltinESMExports()
    // assemble the searched text only after the snapshot, so that the snapshot does not contain it
    const found = (text: string): string =>
      `text.includes([${JSON.stringify(text.slice(0, 9))}, ${JSON.stringify(text.slice(9))}].join(''))`
    const code = main(`
      globalThis.kept = ['svc-control', '-text'].join('')
      const { default: v8 } = await import('node:v8')
      let text = ''
      for await (const part of v8.getHeapSnapshot()) text += part.toString('latin1')
      return { control: ${found('svc-control-text')}, word: ${found(bytes.toString('base64url'))} }`)
    const limits = { timeoutMs: 60_000, memoryMb: 512 }
    expect(await resultOf(open(denoProvider()), { code, limits })).toEqual({
      control: true,
      word: false,
    })
    expect(spy.mock.results[0]?.value).toBe(bytes)
  })
})
