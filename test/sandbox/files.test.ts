/**
 * Real jobs attempt to reach files, the environment, processes and the rest of the machine. The control runs the same
 * attempts without confinement, to show that they would succeed.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findDeno } from '#platform/deno.ts'
import { guestIdentity } from '#sandbox/linux/process-identity.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import {
  type Attempts,
  denoProvider,
  errorOf,
  main,
  openOnes,
  openPool,
  resultOf,
  runJob,
  tryAll,
  unconfinedProvider,
} from './job.ts'

const SECRET = 'canary-secret-5f1c'
/** A file of the host that every user of the machine may read, so only confinement keeps jobs from it. */
const folder = mkdtempSync(join(tmpdir(), 'svc-host-'))
const file = join(folder, 'secret.txt')
const json = join(folder, 'secret.json')
const written = join(folder, 'open', 'written')

const pools: Sandbox[] = []
let pool: Sandbox
let control: Sandbox
beforeAll(() => {
  chmodSync(folder, 0o755)
  writeFileSync(file, SECRET)
  writeFileSync(json, JSON.stringify({ secret: SECRET }))
  process.env.SVC_SECRET_KEY = SECRET
  pool = openPool(denoProvider())
  control = openPool(unconfinedProvider())
  pools.push(pool, control)
})
afterAll(async () => {
  delete process.env.SVC_SECRET_KEY
  await Promise.all(pools.map((opened) => opened.close()))
  rmSync(folder, { recursive: true, force: true })
})

const moduleOf = (source: string): string => JSON.stringify(source)
const TEXT = `import s from "file://${file}" with { type: "text" }`
const JSON_IMPORT = `import s from "file://${json}" with { type: "json" }`

/** Each returns the secret if it succeeds. */
const READS: Attempts = {
  'Deno.readTextFile': `Deno.readTextFile("${file}")`,
  'Deno.open': `Deno.open("${file}").then((f) => new Response(f.readable).text())`,
  'Deno.copyFile': `Deno.copyFile("${file}", "copy").then(() => Deno.readTextFile("copy"))`,
  'Deno.link': `Deno.link("${file}", "link").then(() => Deno.readTextFile("link"))`,
  'Deno.symlink': `Deno.symlink("${file}", "symlink").then(() => Deno.readTextFile("symlink"))`,
  'node:fs': `import("node:fs").then((fs) => fs.readFileSync("${file}", "utf8"))`,
  'node:fs symlink': `import("node:fs").then((fs) => { fs.symlinkSync("${folder}", "folder"); return fs.readFileSync("folder/secret.txt", "utf8") })`,
  'node:fs cp': `import("node:fs").then((fs) => { fs.cpSync("${file}", "copied"); return fs.readFileSync("copied", "utf8") })`,
  'fetch file:': `fetch("file://${file}").then((response) => response.text())`,
  'dot dot': `Deno.readTextFile("../" + "${folder}".split("/").pop() + "/secret.txt")`,
  require: `import("node:module").then(({ createRequire }) => createRequire("file:///x.js")("${json}").secret)`,
  'dynamic import': `import("file://${json}", { with: { type: "json" } }).then((m) => m.default.secret)`,
  'import in data:': `import("data:text/javascript," + encodeURIComponent(${moduleOf(`${JSON_IMPORT}; export default s.secret`)})).then((m) => m.default)`,
  'import in blob:': `import(URL.createObjectURL(new Blob([${moduleOf(`${TEXT}; export default s`)}], { type: "text/javascript" }))).then((m) => m.default)`,
  'import in an own file': `Deno.writeTextFile("own.mjs", ${moduleOf(`${TEXT}; export default s`)}).then(() => import("file://" + Deno.cwd() + "/own.mjs")).then((m) => m.default)`,
  'import in an own TypeScript file': `Deno.writeTextFile("own.ts", ${moduleOf(`${JSON_IMPORT}; export default s.secret`)}).then(() => import("file://" + Deno.cwd() + "/own.ts")).then((m) => m.default)`,
  'import in a worker': `new Promise((resolve, reject) => { const worker = new Worker(URL.createObjectURL(new Blob([${moduleOf(`${TEXT}; postMessage(s)`)}], { type: "text/javascript" })), { type: "module" }); worker.onmessage = (e) => resolve(e.data); worker.onerror = (e) => { e.preventDefault(); reject(new Error(e.message)) } })`,
  'node worker': `import("node:worker_threads").then(({ Worker }) => new Promise((resolve, reject) => { const worker = new Worker(${moduleOf(`require("node:worker_threads").parentPort.postMessage(require("node:fs").readFileSync("${file}", "utf8"))`)}, { eval: true }); worker.on("message", resolve); worker.on("error", reject) }))`,
  'node:vm': `import("node:vm").then((vm) => vm.runInNewContext("this.constructor.constructor('return Deno')()").readTextFileSync("${file}"))`,
  'node:sqlite': `import("node:sqlite").then(({ DatabaseSync }) => { new DatabaseSync("${folder}/open/x.db"); return "${SECRET}" })`,
  'node:sqlite attach': `import("node:sqlite").then(({ DatabaseSync }) => { new DatabaseSync(":memory:").exec("ATTACH '${folder}/open/y.db' AS y"); return "${SECRET}" })`,
  'node:process loadEnvFile': `import("node:process").then((p) => { p.default.loadEnvFile("${file}"); return "${SECRET}" })`,
  'Deno.stat': `Deno.stat("${file}").then(() => "${SECRET}")`,
  'Deno.readDir': `(async () => { for await (const { name } of Deno.readDir("${folder}")) if (name === "secret.txt") return "${SECRET}" })()`,
  'Deno.watchFs': `(async () => { Deno.watchFs("${folder}"); return "${SECRET}" })()`,
}

describe('files of the host', () => {
  it('are read by no way that the runtime offers', async () => {
    const results = await tryAll(pool, READS)
    expect(openOnes(results)).toEqual([])
    expect(JSON.stringify(results)).not.toContain(SECRET)
  })

  it('are read by most of them without confinement', async () => {
    chmodSync(folder, 0o777)
    const results = await tryAll(control, READS)
    const read = Object.values(results).filter((result) => result.includes(SECRET))
    // symbolic links and relative paths fail because of the folder's own rights; node:vm has no Deno
    expect(read.length).toBeGreaterThanOrEqual(18)
    chmodSync(folder, 0o755)
  })

  it('include those of the process itself and of the service', async () => {
    const paths = [
      '/proc/self/environ',
      '/proc/self/cmdline',
      '/proc/self/mem',
      `/proc/${process.pid}/environ`,
      '/proc/1/environ',
      '/dev/fd/0',
      '/dev/fd/3',
      '/etc/passwd',
      '/etc/shadow',
      join(process.cwd(), 'package.json'),
    ]
    const attempts = paths.map((path) => [path, `Deno.readTextFile("${path}")`])
    expect(openOnes(await tryAll(pool, Object.fromEntries(attempts)))).toEqual([])
  })

  it('are written by none', async () => {
    const target = written
    const results = await tryAll(pool, {
      write: `Deno.writeTextFile("${target}", "x")`,
      mkdir: `Deno.mkdir("${target}")`,
      rename: `Deno.writeTextFile("a", "x").then(() => Deno.rename("a", "${target}"))`,
      remove: `Deno.remove("${file}")`,
      truncate: `Deno.truncate("${file}")`,
      chmod: `Deno.chmod("${file}", 0o777)`,
      utime: `Deno.utime("${file}", 1, 1)`,
      'node:fs': `import("node:fs").then((fs) => fs.writeFileSync("${target}", "x"))`,
      'temporary file elsewhere': `Deno.makeTempFile({ dir: "/tmp" })`,
      'its own program': `Deno.writeTextFile(new URL(import.meta.url === "" ? "file:///" : Deno.mainModule), "x")`,
    })
    expect(openOnes(results)).toEqual([])
    expect(existsSync(target)).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe(SECRET)
  })
})

describe('its own temporary folder', () => {
  it('is where a job may write and read, by every usual way', async () => {
    const results = await tryAll(pool, {
      'Deno.makeTempFile': `Deno.makeTempFile().then((path) => Deno.writeTextFile(path, "x")).then(() => 1)`,
      'Deno.makeTempDir': `Deno.makeTempDir().then((path) => Deno.writeTextFile(path + "/a", "x")).then(() => 1)`,
      'node:os tmpdir': `Promise.all([import("node:os"), import("node:fs")]).then(([os, fs]) => { fs.writeFileSync(os.tmpdir() + "/b", "x"); return 1 })`,
      'node:fs mkdtemp': `Promise.all([import("node:os"), import("node:fs")]).then(([os, fs]) => { fs.mkdtempSync(os.tmpdir() + "/c-"); return 1 })`,
      'working directory': `Deno.writeTextFile("d", "text").then(() => Deno.readTextFile(Deno.cwd() + "/d")).then(() => 1)`,
    })
    expect(new Set(Object.values(results))).toEqual(new Set(['open: 1']))
  })

  it('is closed to jobs of others, also while both run', async () => {
    const hold = main(
      'Deno.writeTextFileSync("mine", "x"); console.log(Deno.cwd()); await new Promise((r) => setTimeout(r, 500))',
    )
    let looked: Promise<Readonly<Record<string, string>>> | undefined
    await runJob(pool, {
      code: hold,
      app: 'holder',
      onLog: (path) => {
        looked ??= tryAll(
          pool,
          {
            read: `Deno.readTextFile("${path.trim()}/mine")`,
            list: `Array.fromAsync(Deno.readDir("${path.trim()}"))`,
            write: `Deno.writeTextFile("${path.trim()}/yours", "x")`,
          },
          { app: 'looker' },
        )
      },
    })
    expect(openOnes((await looked) ?? { none: 'open: never looked' })).toEqual([])
  })

  it('loads no graphics driver of the machine', async () => {
    const code = main('return (await navigator.gpu.requestAdapter()) === null')
    expect(await resultOf(pool, { code })).toBe(true)
  })

  it('keeps no storage of the runtime next to it', async () => {
    const results = await tryAll(pool, {
      localStorage: `localStorage.setItem("a", "b")`,
      caches: `caches.open("a").then((cache) => cache.put("http://a.b/", new Response("x")))`,
    })
    expect(openOnes(results)).toEqual([])
  })
})

describe('the environment', () => {
  it('holds nothing of the host, in any spelling', async () => {
    const names = ['SVC_SECRET_KEY', 'PATH', 'HOME', 'USER', 'LD_PRELOAD', 'DENO_DIR']
    const attempts = Object.fromEntries(
      names.flatMap((name) => [
        // both environments may be read, but are empty
        [
          `Deno ${name}`,
          `(() => { if (Deno.env.get("${name}") === undefined && !Deno.env.has("${name}")) throw new Error("nothing"); return "found" })()`,
        ],
        [
          `process ${name}`,
          `import("node:process").then(({ default: { env } }) => { if (env.${name} === undefined) throw new Error("nothing"); return env.${name} })`,
        ],
      ]),
    )
    const all = {
      toObject: `(() => { if (Object.keys(Deno.env.toObject()).length === 0) throw new Error("none"); return "some" })()`,
      keys: `import("node:process").then(({ default: { env } }) => { if (Object.keys(env).length === 0) throw new Error("none"); return JSON.stringify(env) })`,
      set: 'Deno.env.set("RES_OPTIONS", "")',
      proxy: 'Deno.env.set("HTTP_PROXY", "http://127.0.0.1:1")',
    }
    const results = await tryAll(pool, { ...attempts, ...all })
    expect(openOnes(results)).toEqual([])
  })

  it('and the arguments of a process hold no secret of the service or of the job', async () => {
    const code = main(
      'console.log(Deno.pid); await new Promise((r) => setTimeout(r, 1000)); return Deno.args',
    )
    const controller = new AbortController()
    let seen = ''
    await runJob(pool, {
      code,
      variables: { TOKEN: 'job-secret-77aa' },
      input: { password: 'input-secret-77aa' },
      signal: controller.signal,
      onLog: (pid) => {
        seen = ['environ', 'cmdline']
          .map((name) => readFileSync(`/proc/${pid.trim()}/${name}`))
          .join()
        controller.abort()
      },
    })
    expect(seen).toContain('DENO_DIR')
    expect(seen).not.toContain(SECRET)
    expect(seen).not.toContain('secret-77aa')
    expect(seen).not.toContain('SVC_')
  })
})

describe('the rest of the machine', () => {
  const ATTEMPTS: Attempts = {
    'Deno.Command': `new Deno.Command("/bin/true").output()`,
    'node:child_process': `import("node:child_process").then((c) => new Promise((resolve, reject) => c.execFile("/bin/true", (error) => error ? reject(error) : resolve("ran"))))`,
    'spawn of itself': `new Deno.Command(Deno.execPath(), { args: ["eval", "1"] }).output()`,
    'Deno.dlopen': `Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", { getpid: { parameters: [], result: "i32" } })`,
    'process.dlopen': `import("node:process").then((p) => p.default.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6"))`,
    'Deno.kill of the service': `Deno.kill(Deno.ppid, "SIGCONT")`,
    'process.kill of the service': `import("node:process").then((p) => p.default.kill(Deno.ppid, 0))`,
    'node:inspector': `import("node:inspector").then((inspector) => inspector.open(0))`,
    'node:inspector session': `import("node:inspector").then(({ Session }) => new Session().connect())`,
    hostname: `Deno.hostname()`,
    'network interfaces': `Deno.networkInterfaces()`,
    'node:os interfaces': `import("node:os").then((os) => os.networkInterfaces())`,
    users: `(() => { if (Deno.uid() === 65534) throw new Error('everywhere the same') })()`,
    'more rights': `Deno.permissions.request({ name: "read" }).then(({ state }) => { if (state !== "granted") throw new Error(state) })`,
  }

  it('is out of reach: processes, libraries, signals, inspector, facts', async () => {
    const results = await tryAll(pool, ATTEMPTS)
    expect(openOnes(results)).toEqual([])
  })

  it('is in reach without confinement', async () => {
    const results = await tryAll(control, ATTEMPTS)
    const open = Object.values(results).filter((result) => result.startsWith('open: '))
    expect(open.length).toBeGreaterThanOrEqual(8)
  })

  it('runs jobs of a service that is root as an unprivileged user', async () => {
    // only root can switch users, and the other user must be able to read the runtime
    if (guestIdentity(findDeno()) === null) return
    const code = main('console.log(Deno.pid); await new Promise((r) => setTimeout(r, 500))')
    const controller = new AbortController()
    let status = ''
    await runJob(pool, {
      code,
      signal: controller.signal,
      onLog: (pid) => {
        status = readFileSync(`/proc/${pid.trim()}/status`, 'utf8')
        controller.abort()
      },
    })
    expect(status).toMatch(/^Uid:\s+65534\s+65534\s+65534\s+65534$/m)
    expect(status).toMatch(/^CapEff:\s+0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
  })

  it('gets nothing from a job that ends its process on purpose', async () => {
    expect((await errorOf(pool, main('Deno.exit(0)'))).name).toBe('SandboxCrashed')
    expect(await resultOf(pool, { code: main('return 1') })).toBe(1)
  })
})
