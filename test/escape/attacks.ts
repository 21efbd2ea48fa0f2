/** Jobs that take all they can get: each must end by its own bound and name, and the next job must be fine. */
import process from 'node:process'
import type { Provider } from '#sandbox/process-shape.ts'
import type { Sandbox, SandboxLimits } from '#sandbox/provider.ts'
import { main, openPool, resultOf, runJob } from '../sandbox/job.ts'
import { watchPeak } from './peak.ts'

export type Attack = Readonly<{
  name: string
  body: string
  /** How it may end. `success`: what it tried was refused, and it says so. */
  ends: readonly string[]
  limits?: Partial<SandboxLimits>
}>

const MEMORY = ['OutOfMemory'] as const
const PAUSE = 'await new Promise((r) => setTimeout(r, 1))'
const WRITE = `const fs = await import('node:fs'); const dir = (await import('node:os')).tmpdir();`

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
  /** Of the guest and of this process, in MB; null where it cannot be told. */
  peakMb: number
  hostGrewMb: number
}>

const MEMORY_MB = 128
const MB = 1_048_576

const tryAttack = async (pool: Sandbox, attack: Attack): Promise<AttackReport> => {
  const limits = { memoryMb: MEMORY_MB, timeoutMs: 15_000, ...attack.limits }
  const before = process.memoryUsage().rss
  const peak = watchPeak()
  const started = performance.now()
  const { outcome } = await runJob(pool, { code: main(attack.body), app: attack.name, limits })
  const ms = performance.now() - started
  const peakMb = peak.stop()
  const ended = outcome.kind === 'failure' ? outcome.error.name : outcome.kind
  const next = await resultOf(pool, { code: main('return 7'), app: attack.name, limits })
  return {
    name: attack.name,
    ended,
    isFine: attack.ends.includes(ended) && next === 7,
    ms,
    peakMb,
    hostGrewMb: (process.memoryUsage().rss - before) / MB,
  }
}

export const tryAttacks = async (provider: Provider): Promise<readonly AttackReport[]> => {
  const pool = openPool(provider)
  const reports: AttackReport[] = []
  for (const attack of ATTACKS) reports.push(await tryAttack(pool, attack))
  await pool.close()
  return reports
}
