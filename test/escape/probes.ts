/**
 * The attempts of a hostile job. Each is the body of an async function with `w`, which names the canaries (canaries.ts). A
 * probe is open if it returns the secret or touches a canary. Messages that a job gets do not count, only what it reached.
 */
import { RELAY } from '#sandbox/protocol/messages.ts'

export type Probe = Readonly<{
  group: string
  name: string
  /** @default judged by what it returns and touches */
  body: string
  /** Whether its error must be a refusal, because there is no canary at such an address. */
  mustRefuse?: boolean
  /** Whether it needs names that resolve as given, which works only through our proxy. Elsewhere it is skipped. */
  needsNames?: boolean
}>

const probes = (
  group: string,
  bodies: Readonly<Record<string, string>>,
  more: Partial<Probe> = {},
): readonly Probe[] =>
  Object.entries(bodies).map(([name, body]) => ({ group, name, body, ...more }))

const FS = `const fs = await import('node:fs');`

const FILES = probes('files', {
  'read by Deno': `return Deno.readTextFileSync(w.file)`,
  'read by node:fs': `${FS} return fs.readFileSync(w.file, 'utf8')`,
  'open and read': `${FS} const d = fs.openSync(w.file, 'r'); const b = Buffer.alloc(99); fs.readSync(d, b); return b.toString()`,
  'list its folder': `${FS} return fs.readdirSync(w.folder).includes('secret.txt') ? w.secret : 'no'`,
  'stat it': `${FS} return fs.statSync(w.file).size === w.secret.length ? w.secret : 'no'`,
  'fetch file:': `return (await fetch('file://' + w.file)).text()`,
  'import as JSON': `return (await import('file://' + w.json, { with: { type: 'json' } })).default.secret`,
  'static import as text in a module of its own': `return (await import('data:text/javascript,' + encodeURIComponent('import s from "file://' + w.file + '" with { type: "text" }; export default s'))).default`,
  'static import in a blob': `return (await import(URL.createObjectURL(new Blob(['import s from "file://' + w.file + '" with { type: "text" }; export default s'], { type: 'text/javascript' })))).default`,
  'static import in a file of its own': `${FS} const os = await import('node:os'); const p = os.tmpdir() + '/own.mjs'; fs.writeFileSync(p, 'import s from "file://' + w.json + '" with { type: "json" }; export default s.secret'); return (await import('file://' + p)).default`,
  'symbolic link': `${FS} const os = await import('node:os'); const p = os.tmpdir() + '/link' + Math.random(); fs.symlinkSync(w.file, p); return fs.readFileSync(p, 'utf8')`,
  'symbolic link to a folder': `${FS} const os = await import('node:os'); const p = os.tmpdir() + '/dir' + Math.random(); fs.symlinkSync(w.folder, p); return fs.readFileSync(p + '/secret.txt', 'utf8')`,
  'hard link': `${FS} const os = await import('node:os'); const p = os.tmpdir() + '/hard' + Math.random(); fs.linkSync(w.file, p); return fs.readFileSync(p, 'utf8')`,
  'dot dot': `${FS} return fs.readFileSync('../'.repeat(12) + w.file.slice(1), 'utf8')`,
  'through /proc/self/root': `${FS} return fs.readFileSync('/proc/self/root' + w.file, 'utf8')`,
  'through /proc/1/root': `${FS} return fs.readFileSync('/proc/1/root' + w.file, 'utf8')`,
  'SQLite attach': `const { DatabaseSync } = await import('node:sqlite'); const db = new DatabaseSync(':memory:'); db.exec("ATTACH '" + w.database + "' AS x"); return db.prepare('SELECT t FROM x.s').get().t`,
  'native code': `const libc = Deno.readTextFileSync('/proc/self/maps').match(/\\/\\S*libc\\.so\\.6/)[0]; const { symbols } = Deno.dlopen(libc, { open: { parameters: ['buffer', 'i32'], result: 'i32' }, read: { parameters: ['i32', 'buffer', 'usize'], result: 'isize' } }); const d = symbols.open(new TextEncoder().encode(w.file + '\\0'), 0); const b = new Uint8Array(99); if (symbols.read(d, b, 99n) < 0) throw new Error('closed'); return new TextDecoder().decode(b)`,
  'load as environment': `const p = (await import('node:process')).default; p.loadEnvFile(w.envFile); return p.env.SVC_CANARY`,
  'write beside it': `${FS} fs.writeFileSync(w.folder + '/touched', 'x')`,
  'append to it': `${FS} fs.appendFileSync(w.file, 'x')`,
  'remove it': `${FS} fs.rmSync(w.removable)`,
  'rename into its folder': `${FS} const os = await import('node:os'); const p = os.tmpdir() + '/moved'; fs.writeFileSync(p, 'x'); fs.renameSync(p, w.folder + '/touched')`,
  'change the program that jobs run in': `${FS} fs.appendFileSync(w.guest, '\\n// touched')`,
})

const ENVIRONMENT = probes('environment', {
  'process.env': `return JSON.stringify((await import('node:process')).default.env)`,
  'Deno.env': `return JSON.stringify(Deno.env.toObject())`,
  '/proc/self/environ': `${FS} return fs.readFileSync('/proc/self/environ', 'utf8')`,
  "the parent's environ": `${FS} const p = (await import('node:process')).default; return fs.readFileSync('/proc/' + p.ppid + '/environ', 'utf8')`,
  '/proc/1/environ': `${FS} return fs.readFileSync('/proc/1/environ', 'utf8')`,
  "another's environ": `${FS} return fs.readFileSync('/proc/' + w.victim + '/environ', 'utf8')`,
  "the service's environ": `${FS} return fs.readFileSync('/proc/' + w.pid + '/environ', 'utf8')`,
})

const PROCESSES = probes('processes', {
  'see another': `${FS} return fs.readFileSync('/proc/' + w.victim + '/cmdline', 'utf8')`,
  'search for it': `${FS} for (const name of fs.readdirSync('/proc')) try { const t = fs.readFileSync('/proc/' + name + '/cmdline', 'utf8'); if (t.includes(w.secret)) return t } catch {} return 'none'`,
  'end another': `(await import('node:process')).default.kill(w.victim, 'SIGKILL')`,
  'end it by Deno': `Deno.kill(w.victim, 'SIGKILL')`,
  'end its group': `(await import('node:process')).default.kill(-w.victim, 'SIGKILL')`,
  'start a shell': `const c = await import('node:child_process'); return c.execFileSync('/bin/sh', ['-c', 'cat ' + w.file], { encoding: 'utf8' })`,
  'start itself anew, open': `const c = await import('node:child_process'); const p = (await import('node:process')).default; return c.execFileSync(p.execPath, globalThis.Deno ? ['run', '-A', 'data:text/javascript,console.log(Deno.readTextFileSync("' + w.file + '"))'] : ['-e', 'console.log(require("fs").readFileSync("' + w.file + '","utf8"))'], { encoding: 'utf8' })`,
  'read its memory': `${FS} fs.openSync('/proc/' + w.victim + '/mem', 'r'); return w.secret`,
  'open an inspector': `const i = await import('node:inspector'); i.open(w.inspectorPort, '0.0.0.0'); await new Promise((r) => setTimeout(r, 300)); return 'opened'`,
  'load a graphics driver': `return (await navigator.gpu.requestAdapter()) === null ? 'none' : w.secret`,
  'change the kernel': `${FS} const p = '/proc/sys/kernel/core_pattern'; const t = fs.readFileSync(p, 'utf8'); fs.writeFileSync(p, t); return w.secret`,
})

const dial = (host: string): string =>
  `await new Promise((resolve, reject) => { import('node:net').then(({ connect }) => { const s = connect(w.port, '${host}', () => { s.write('x'); s.end(); resolve() }); s.on('error', reject) }) })`
const fetched = (host: string): string => `return (await fetch('http://${host}:' + w.port)).text()`
const named = (verb: string, hosts: readonly string[], body: (host: string) => string) =>
  Object.fromEntries(hosts.map((host) => [`${verb} ${host}`, body(host)]))

const SPELLINGS = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '0', 'localhost'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:0.0.0.0]'],
  ...[
    '127.0.0.1.',
    '0x7f.1',
    '[::127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
  ],
  ...['[2002:7f00:1::1]', '[2001:0:7f00:1::80ff:fffe]'],
]

const NETWORK = [
  ...probes('network', {
    ...named('fetch', SPELLINGS, fetched),
    ...named('connect', ['127.0.0.1', '0.0.0.0', '::1', '::ffff:127.0.0.1', 'localhost'], dial),
    "fetch the host's own addresses": `for (const a of w.own) try { const t = await (await fetch('http://' + (a.includes(':') ? '[' + a + ']' : a) + ':' + w.port)).text(); if (t.includes(w.secret)) return t } catch {}`,
    'CONNECT by the relay': `const c = await Deno.connect(${JSON.stringify(RELAY)}); await c.write(new TextEncoder().encode('CONNECT 127.0.0.1:' + w.port + ' HTTP/1.1\\r\\n\\r\\n')); const b = new Uint8Array(99); await c.read(b)`,
    'CONNECT by the socket': `const c = await Deno.connect({ transport: 'unix', path: '/run/egress.sock' }); await c.write(new TextEncoder().encode('CONNECT 127.0.0.1:' + w.port + ' HTTP/1.1\\r\\n\\r\\n')); const b = new Uint8Array(99); await c.read(b)`,
    WebSocket: `await new Promise((r, j) => { const s = new WebSocket('ws://127.0.0.1:' + w.port); s.onopen = r; s.onerror = j })`,
    'a proxy of its own': `const client = Deno.createHttpClient({ proxy: { url: 'http://127.0.0.1:' + w.port } }); return (await fetch('http://example.com/', { client })).text()`,
    datagram: `const { createSocket } = await import('node:dgram'); await new Promise((r, j) => { const s = createSocket('udp4'); s.on('error', j); s.send('x', w.udpPort, '127.0.0.1', (e) => e ? j(e) : setTimeout(r, 100)) })`,
    'unix socket': `await new Promise((resolve, reject) => { import('node:net').then(({ connect }) => { const s = connect(w.unix, resolve); s.on('error', reject) }) })`,
    'a server that the host can reach': `const { createServer } = await import('node:net'); await new Promise((r, j) => { const s = createServer((c) => c.end(w.secret)); s.on('error', j); s.listen(w.listenPort, '0.0.0.0', r) }); await new Promise((r) => setTimeout(r, 500))`,
    'in a worker': `return await new Promise((r, j) => { const s = new Worker('data:text/javascript,' + encodeURIComponent('fetch("http://127.0.0.1:' + w.port + '").then((x) => x.text()).then(postMessage, () => postMessage("no"))'), { type: 'module' }); s.onmessage = (e) => r(e.data); s.onerror = (e) => { e.preventDefault(); j(new Error(e.message)) } })`,
  }),
  ...probes(
    'network',
    named(
      'refuses',
      [
        '169.254.169.254',
        '10.0.0.1',
        '172.16.0.1',
        '192.168.0.1',
        '100.64.0.1',
        '[fd00:ec2::254]',
        '[64:ff9b::a9fe:a9fe]',
        '[64:ff9b:1::a9fe:a9fe]',
        '[2002:a9fe:a9fe::1]',
        '[::a9fe:a9fe]',
        '169.254.169.254.',
        '0xa9fea9fe',
        '0251.0376.0251.0376',
      ],
      (host) =>
        `const t = await (await fetch('http://${host}/')).text(); if (t.includes('svc does not let')) throw new Error(t); return t`,
    ),
    { mustRefuse: true },
  ),
  ...probes(
    'network',
    {
      'a name that means this machine': fetched('inside.example.com'),
      'a name with a good and a bad address': fetched('mixed.example.com'),
      'a name that changes its mind': `for (let i = 0; i < 4; i++) try { const t = await (await fetch('http://rebind.example.com:' + w.port)).text(); if (t.includes(w.secret)) return t } catch {}`,
    },
    { needsNames: true },
  ),
]

export const PROBES: readonly Probe[] = [...FILES, ...ENVIRONMENT, ...PROCESSES, ...NETWORK]
