/**
 * Pairs of jobs. The first poisons everything that may outlive it. The second, of another app, workspace or commit, looks
 * for any of it. Both run in one pool, with and without reuse of processes.
 */
import type { Provider } from '#sandbox/providers/provider.ts'
import { main, openPool, runJob } from '../sandbox/job.ts'

/** Each leaves `m` somewhere. The next job must not see any of it. */
const POISONS: Readonly<Record<string, string>> = {
  'a global': `globalThis.leak = m`,
  'a symbol of the registry': `globalThis[Symbol.for('leak')] = m`,
  'Object.prototype': `Object.prototype.leak = m`,
  'Array.prototype': `Array.prototype.leak = m`,
  'JSON.parse': `const native = JSON.parse; JSON.parse = (text, ...rest) => { globalThis.leak = m; return native(text, ...rest) }`,
  'JSON.stringify': `const native = JSON.stringify; JSON.stringify = (value, ...rest) => native(value, ...rest)?.replace('"clean"', '"' + m + '"')`,
  'Promise.prototype.then': `const native = Promise.prototype.then; Promise.prototype.then = function (...a) { globalThis.leak = m; return native.apply(this, a) }`,
  fetch: `globalThis.fetch = async () => m`,
  Deno: `globalThis.Deno = new Proxy(globalThis.Deno ?? {}, { get: (t, k) => k === 'leak' ? m : t[k] })`,
  console: `console.log = () => { globalThis.leak = m }`,
  'a timer': `setInterval(() => { globalThis.leak = m; console.log(m) }, 1)`,
  'a listener for errors': `globalThis.addEventListener?.('error', () => console.log(m))`,
  'process listeners': `(await import('node:process')).default.on('exit', () => console.log(m))`,
  'the environment': `try { (await import('node:process')).default.env.LEAK = m } catch {}`,
  'a built-in module': `const fs = (await import('node:fs')).default; fs.leak = m`,
  'a file': `const fs = await import('node:fs'); const os = await import('node:os'); fs.writeFileSync(os.tmpdir() + '/leak', m)`,
  'a file in /tmp': `const fs = await import('node:fs'); fs.writeFileSync('/tmp/svc-leak', m)`,
  'a file in /dev/shm': `const fs = await import('node:fs'); fs.writeFileSync('/dev/shm/svc-leak', m)`,
  localStorage: `localStorage.setItem('leak', m)`,
  sessionStorage: `sessionStorage.setItem('leak', m)`,
  'the Cache API': `await (await caches.open('leak')).put('http://leak.example/', new Response(m))`,
  'a database': `const { DatabaseSync } = await import('node:sqlite'); const os = await import('node:os'); const db = new DatabaseSync(os.tmpdir() + '/leak.db'); db.exec('CREATE TABLE t (m TEXT)'); db.prepare('INSERT INTO t VALUES (?)').run(m)`,
  'a worker': `new Worker('data:text/javascript,' + encodeURIComponent('setInterval(() => { new BroadcastChannel("leak").postMessage(' + JSON.stringify(m) + ') }, 1)'), { type: 'module' })`,
  'a broadcast channel': `globalThis.channel = new BroadcastChannel('leak'); setInterval(() => globalThis.channel.postMessage(m), 1)`,
  'the working directory': `const fs = await import('node:fs'); fs.writeFileSync('leak', m)`,
  'the program': `const fs = await import('node:fs'); fs.appendFileSync(ctx.input.guest, '\\nglobalThis.leak = "' + m + '"')`,
  'a server': `const { createServer } = await import('node:net'); await new Promise((r) => createServer((s) => s.end(m)).on('error', r).listen(ctx.input.port, '127.0.0.1', r))`,
  'unread input': `for (let i = 0; i < 3; i++) (globalThis.Deno?.stdin.read(new Uint8Array(9)) ?? Promise.resolve()).catch(() => {})`,
}

const LOOK = main(`
  const found = []
  const m = ctx.input.mark
  const look = async (name, act) => { try { const text = String(await act()); if (text.includes(m)) found.push(name) } catch {} }
  await look('global', () => globalThis.leak)
  await look('symbol', () => globalThis[Symbol.for('leak')])
  await look('prototype', () => ({}).leak)
  await look('array', () => [].leak)
  await look('json', () => { JSON.parse('1'); return globalThis.leak })
  await look('stringify', () => JSON.stringify('clean'))
  await look('then', async () => { await Promise.resolve().then(() => 1); return globalThis.leak })
  await look('fetch', () => fetch('data:,clean').then((r) => r.text?.() ?? r))
  await look('deno', () => globalThis.Deno?.leak)
  await look('env', async () => JSON.stringify((await import('node:process')).default.env))
  await look('builtin', async () => (await import('node:fs')).default.leak)
  const fs = await import('node:fs'), os = await import('node:os')
  for (const path of [os.tmpdir() + '/leak', '/tmp/svc-leak', '/dev/shm/svc-leak', 'leak']) await look(path, () => fs.readFileSync(path, 'utf8'))
  await look('localStorage', () => localStorage.getItem('leak'))
  await look('sessionStorage', () => sessionStorage.getItem('leak'))
  await look('cache', async () => (await (await caches.open('leak')).match('http://leak.example/')).text())
  await look('database', async () => { const { DatabaseSync } = await import('node:sqlite'); return new DatabaseSync(os.tmpdir() + '/leak.db').prepare('SELECT m FROM t').get().m })
  await look('channel', () => new Promise((resolve, reject) => { const c = new BroadcastChannel('leak'); c.onmessage = (e) => { c.close(); resolve(e.data) }; setTimeout(() => { c.close(); reject(new Error('silent')) }, 20) }))
  await look('server', () => new Promise((resolve, reject) => import('node:net').then(({ connect }) => connect(ctx.input.port, '127.0.0.1').on('data', resolve).on('error', reject))))
  return found`)

export type Leak = Readonly<{ pair: number; poison: string; found: string }>
export type PoisonReport = Readonly<{
  pairs: number
  leaks: readonly Leak[]
  failed: readonly Leak[]
}>

/** The keys of the second job. Each differs from that of the first in one part. */
const VICTIMS = [
  { ws: 'other', app: 'app', commit: 'c1' },
  { ws: 'acme', app: 'other', commit: 'c1' },
  { ws: 'acme', app: 'app', commit: 'c2' },
] as const

export type PoisonOptions = Readonly<{
  /** Number of pairs. If there are enough, every poison is among them. */
  pairs: number
  reuse: boolean
  guest: string
  port: number
  /** @default all */
  poisons?: readonly string[]
}>

/** Poisons that remain when the process of the job has ended: files, storage, servers. */
export const OUTLIVING: readonly string[] = [
  'a file',
  'a file in /tmp',
  'a file in /dev/shm',
  'localStorage',
  'sessionStorage',
  'the Cache API',
  'a database',
  'the working directory',
  'the program',
  'a server',
]

export const poisonPairs = async (
  provider: Provider,
  options: PoisonOptions,
): Promise<PoisonReport> => {
  const pool = openPool(provider, { reuse: options.reuse, warm: 1, maxIdle: 8 })
  const leaks: Leak[] = []
  const failed: Leak[] = []
  const names = options.poisons ?? Object.keys(POISONS)
  for (let pair = 0; pair < options.pairs; pair += 1) {
    const poison = names[pair % names.length] ?? ''
    const mark = `mark-${pair}-${Math.random().toString(36).slice(2)}`
    const input = { mark, guest: options.guest, port: options.port }
    const code = main(
      `const m = ctx.input.mark; try { ${POISONS[poison]} } catch (error) { return String(error) } return 'done'`,
    )
    await runJob(pool, { code, input, limits: { timeoutMs: 5_000 } })
    const victim = VICTIMS[pair % VICTIMS.length] ?? VICTIMS[0]
    const { outcome, log } = await runJob(pool, { code: LOOK, input, ...victim })
    const told = outcome.kind === 'success' ? outcome.resultJson : JSON.stringify(outcome)
    if (outcome.kind !== 'success') failed.push({ pair, poison, found: told })
    else if (told !== '[]' || log.includes(mark)) leaks.push({ pair, poison, found: told + log })
  }
  await pool.close()
  return { pairs: options.pairs, leaks, failed }
}
