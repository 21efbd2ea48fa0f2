/** Jobs that take all the resources they can get. Each must end by its own limit with the right name, and the next job must succeed. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import process from 'node:process'
import type { Provider } from '#sandbox/providers/provider.ts'
import type { Sandbox, SandboxLimits } from '#sandbox/sandbox.ts'
import { forger, tellingWord } from '../sandbox/frame-forger.ts'
import { main, openPool, resultOf, runJob } from '../sandbox/job.ts'
import { watchPeak } from './peak.ts'

export type Attack = Readonly<{
  name: string
  body: string
  /** The allowed ends. `success` means that its attempts were refused, as it reports. */
  ends: readonly string[]
  limits?: Partial<SandboxLimits>
  /** Whether it writes frames itself, in a guest that reveals its frame word. @default false */
  forges?: boolean
}>

const MEMORY = ['OutOfMemory'] as const
const PAUSE = 'await new Promise((r) => setTimeout(r, 1))'
const WRITE = `const fs = await import('node:fs'); const dir = (await import('node:os')).tmpdir();`

const FRAME_FLOODS = [
  ['questions', 'g', `JSON.stringify({ id: 1, key: 'a' })`],
  ['writes', 's', `JSON.stringify({ id: 1, key: 'a' }) + '\\t1'`],
  ['empty log', 'l', `'""'`],
  ['log lines', 'l', `'"x\\\\n"'`],
] as const

export const ATTACKS: readonly Attack[] = [
  {
    name: 'memory on the heap',
    body: `const a = []; for (;;) a.push(new Array(1000).fill({}))`,
    ends: MEMORY,
  },
  {
    name: 'memory off the heap, all at once',
    body: `const a = []; for (;;) a.push(new Uint8Array(16e6).fill(1))`,
    ends: MEMORY,
  },
  {
    name: 'memory off the heap, little by little',
    body: `const a = []; for (;;) { a.push(new Uint8Array(1e6).fill(1)); ${PAUSE} }`,
    ends: MEMORY,
  },
  {
    name: 'memory of WebAssembly',
    body: `const a = []; for (;;) { const m = new WebAssembly.Memory({ initial: 256 }); new Uint8Array(m.buffer).fill(1); a.push(m); ${PAUSE} }`,
    ends: [...MEMORY, 'RangeError'],
  },
  {
    name: 'memory shared between threads',
    body: `const a = []; for (;;) { a.push(new Uint8Array(new SharedArrayBuffer(8e6)).fill(1)); ${PAUSE} }`,
    ends: MEMORY,
  },
  {
    name: 'one endless string',
    body: `let s = 'x'; for (;;) { s += s; if (s.length > 4e8) s = s.slice(0, 2); globalThis.b = [globalThis.b, s.split('').length] }`,
    ends: [...MEMORY, 'RangeError', 'Timeout'],
  },
  {
    name: 'threads',
    body: `for (;;) { new Worker('data:text/javascript,setInterval(()=>{},1e9)', { type: 'module' }); ${PAUSE} }`,
    ends: [...MEMORY, 'Timeout', 'SandboxCrashed', 'CpuLimit'],
  },
  {
    name: 'processes',
    body: `const c = await import('node:child_process'); let n = 0; for (let i = 0; i < 400; i++) try { c.spawn(process.execPath, ['-e', 'setInterval(()=>{},1e9)']).on('error', () => {}); n++ } catch {} return n`,
    ends: ['success', 'NotCapable', 'Timeout', 'OutOfMemory', 'ReferenceError'],
  },
  {
    name: 'processor time, one thread',
    body: 'for (;;) {}',
    ends: ['Timeout'],
    limits: { timeoutMs: 1_000 },
  },
  {
    name: 'processor time, many threads',
    body: `for (let i = 0; i < 6; i++) new Worker('data:text/javascript,for(;;){}', { type: 'module' }); for (;;) {}`,
    ends: ['CpuLimit', 'Timeout'],
    limits: { timeoutMs: 3_000, processorMs: 1_000 },
  },
  {
    name: 'a regular expression without end',
    body: `/^(a+)+$/.test('a'.repeat(40) + 'b')`,
    ends: ['Timeout'],
    limits: { timeoutMs: 1_000 },
  },
  {
    name: 'output',
    body: `const b = new Uint8Array(1e6).fill(97); const w = globalThis.Deno ? (x) => Deno.stdout.writeSync(x) : (x) => { try { process.getBuiltinModule('fs').writeSync(1, x) } catch {} }; for (;;) w(b)`,
    ends: ['Timeout'],
    limits: { timeoutMs: 1_000 },
  },
  {
    name: 'log lines',
    body: `for (;;) console.log('x'.repeat(1000))`,
    ends: ['Timeout'],
    limits: { timeoutMs: 1_000 },
  },
  {
    name: 'an endless result',
    body: `return 'x'.repeat(5e7)`,
    ends: ['ResultTooLarge', 'OutOfMemory'],
  },
  {
    name: 'disk, large files',
    body: `${WRITE} const b = new Uint8Array(8e6); for (let i = 0; ; i++) { fs.writeFileSync(dir + '/' + i, b); ${PAUSE} }`,
    ends: ['DiskLimit'],
  },
  {
    name: 'disk, one file',
    body: `${WRITE} const b = new Uint8Array(8e6); for (;;) { fs.appendFileSync(dir + '/one', b); ${PAUSE} }`,
    ends: ['DiskLimit', 'Error'],
  },
  {
    name: 'disk, many files',
    body: `${WRITE} for (let i = 0; ; i++) { fs.mkdirSync(dir + '/' + i); fs.writeFileSync(dir + '/' + i + '/f', ''); ${PAUSE} }`,
    ends: ['DiskLimit'],
  },
  {
    name: 'disk, removed files',
    body: `${WRITE} const b = new Uint8Array(8e6); for (;;) { const f = fs.openSync(dir + '/f', 'w'); fs.rmSync(dir + '/f'); for (let i = 0; i < 7; i++) { fs.writeSync(f, b); ${PAUSE} } }`,
    ends: ['DiskLimit'],
  },
  {
    name: 'open files',
    body: `${WRITE} fs.writeFileSync(dir + '/f', 'x'); let n = 0; try { for (; n < 5000; n++) fs.openSync(dir + '/f', 'r') } catch (e) { return [n, e.code] } return n`,
    ends: ['success'],
  },
  {
    name: 'sockets of its own',
    body: `const open = []; try { for (let i = 0; i < 5000; i++) { const l = Deno.listen({ port: 0 }); open.push(l) } } catch (e) { return [open.length, e.name] } return open.length`,
    ends: ['success', 'ReferenceError'],
  },
  {
    name: 'bytes kept in loopback connections',
    body: `const listener = Deno.listen({ hostname: '127.0.0.1', port: 0 }); const held = []; (async () => { for await (const c of listener) held.push(c) })(); const bytes = new Uint8Array(65_536); const one = async () => { try { const c = await Deno.connect(listener.addr); held.push(c); for (;;) await c.write(bytes) } catch {} }; for (let i = 0; i < 200; i++) one(); await new Promise(() => {})`,
    ends: [...MEMORY, 'NotCapable', 'ReferenceError'],
  },
  ...FRAME_FLOODS.map(
    ([name, kind, payload]): Attack => ({
      name: `a flood of frames, ${name}`,
      forges: true,
      body: `const block = encoder.encode(textOf('${kind}', 1, ${payload}).repeat(4_000)); for (;;) writeBytes(block)`,
      ends: ['Timeout', 'ReferenceError'],
      limits: { timeoutMs: 3_000 },
    }),
  ),
  {
    name: 'answers that it never reads',
    forges: true,
    body: `await ctx.state.set('a', 'x'.repeat(250_000)); for (let id = 1e6; id < 2e6; id++) frame('g', 1, JSON.stringify({ id, key: 'a' })); for (;;) ;`,
    ends: ['Timeout', 'ReferenceError'],
    limits: { timeoutMs: 3_000 },
  },
  {
    name: 'a result of a million lists inside each other',
    body: `let list = []; for (let i = 0; i < 1e6; i++) list = [list]; return list`,
    ends: ['InvalidResult', 'RangeError', 'OutOfMemory'],
    limits: { resultBytes: 4_194_304 },
  },
  {
    name: 'a frame of a million lists inside each other',
    forges: true,
    body: `frame('r', 1, '['.repeat(1e6)); await forever`,
    ends: ['InvalidResult', 'ReferenceError'],
    limits: { resultBytes: 4_194_304 },
  },
  {
    name: 'a frame of a million empty lists',
    forges: true,
    body: `frame('r', 1, '[' + '[],'.repeat(1e6) + '[]]'); await forever`,
    ends: ['success', 'ReferenceError'],
    limits: { resultBytes: 4_194_304 },
  },
  {
    name: 'an endless frame',
    forges: true,
    body: `write(textOf('r', 1, '').trimEnd()); const bytes = encoder.encode('1'.repeat(65_536)); for (;;) writeBytes(bytes)`,
    ends: ['ResultTooLarge', 'SandboxCrashed', 'ReferenceError'],
  },
  {
    name: 'a stack without end',
    body: `const f = () => f() + 1; try { f() } catch (e) { return e.name }`,
    ends: ['success'],
  },
  {
    name: 'its own end',
    body: `(await import('node:process')).default.abort()`,
    ends: ['SandboxCrashed'],
  },
  {
    name: 'its own end by a signal',
    body: `const p = (await import('node:process')).default; p.kill(p.pid, 'SIGKILL'); await new Promise(() => {})`,
    ends: ['SandboxCrashed', 'NotCapable', 'Timeout'],
    limits: { timeoutMs: 1_000 },
  },
]

export type AttackReport = Readonly<{
  name: string
  ended: string
  isFine: boolean
  ms: number
  /** Peak of the guest, and growth of this process, in MB. */
  peakMb: number
  hostGrewMb: number
  /** The longest time for which the event loop of this process was blocked, in milliseconds. */
  stallMs: number
}>

const MEMORY_MB = 128
/** How long other jobs, requests and leases may have to wait, in milliseconds. */
const LONGEST_STALL_MS = 1_000
const MB = 1_048_576

type Pools = Readonly<{ plain: Sandbox; forging: Sandbox }>

const tryAttack = async ({ plain, forging }: Pools, attack: Attack): Promise<AttackReport> => {
  const limits = { memoryMb: MEMORY_MB, timeoutMs: 15_000, ...attack.limits }
  const forges = attack.forges === true
  const pool = forges ? forging : plain
  const code = forges ? forger(attack.body) : main(attack.body)
  const before = process.memoryUsage().rss
  const peak = watchPeak()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const started = performance.now()
  const { outcome } = await runJob(pool, { code, app: attack.name, limits })
  const ms = performance.now() - started
  delay.disable()
  const peakMb = peak.stop()
  const ended = outcome.kind === 'failure' ? outcome.error.name : outcome.kind
  const next = await resultOf(pool, { code: main('return 7'), app: attack.name, limits })
  const stallMs = delay.max / 1e6
  return {
    name: attack.name,
    ended,
    isFine: attack.ends.includes(ended) && next === 7 && stallMs < LONGEST_STALL_MS,
    ms,
    peakMb,
    hostGrewMb: (process.memoryUsage().rss - before) / MB,
    stallMs,
  }
}

/** @param names of the attacks to try. @default all */
export const tryAttacks = async (
  provider: Provider,
  names?: readonly string[],
): Promise<readonly AttackReport[]> => {
  const pools = { plain: openPool(provider), forging: openPool(tellingWord(provider)) }
  const reports: AttackReport[] = []
  for (const attack of ATTACKS) {
    if (names === undefined || names.includes(attack.name)) {
      reports.push(await tryAttack(pools, attack))
    }
  }
  await Promise.all([pools.plain.close(), pools.forging.close()])
  return reports
}
