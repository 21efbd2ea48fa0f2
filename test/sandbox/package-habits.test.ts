/** Small versions of what npm packages do while they load, bundled as in a deploy and run as by a worker. */
import process from 'node:process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Sandbox } from '#sandbox/sandbox.ts'
import type { AppTexts } from '../support/app-files.ts'
import { bundleApp, packageFiles } from '../support/bundle-app.ts'
import { bubblewrapProvider, denoProvider, nodeProvider, openPool, runJob, tryAll } from './job.ts'

/** The ids of code that is not confined, which are those of the user who runs these tests. */
const OWN_USER = [process.getuid?.(), process.geteuid?.(), process.getgid?.(), process.getegid?.()]
const FIXED_USER = [65_534, 65_534, 65_534, 65_534]

const PROVIDERS = [
  { name: 'deno', user: FIXED_USER, open: denoProvider },
  { name: 'bubblewrap', user: FIXED_USER, open: () => bubblewrapProvider() },
  { name: 'node', user: OWN_USER, open: nodeProvider },
]

describe.each(PROVIDERS)('on $name, a package', ({ user, open }) => {
  let pool: Sandbox
  beforeAll(() => {
    pool = openPool(open())
  })
  afterAll(() => pool.close())

  const resultOf = async (files: AppTexts): Promise<unknown> => {
    const entry = await bundleApp(files)
    const { code, sourceMap } = await entry.loadCode()
    const named = `${code}\n// ${entry.hash}`
    const { outcome, log } = await runJob(pool, { code: named, sourceMap, commit: entry.hash })
    if (outcome.kind !== 'success') throw new Error(`${JSON.stringify(outcome)} ${log}`)
    return JSON.parse(outcome.resultJson)
  }

  it('may require a missing module in a try block, and gets MODULE_NOT_FOUND', async () => {
    const files = {
      'main.ts': `import { codes } from 'careful'
        const require = (text: string) => text
        export const main = () => [...codes, require('own')]`,
      ...packageFiles(
        'careful',
        `const codes = []
        try { require('pg-native') } catch (error) { codes.push(error.code, error.message) }
        try { require('./not-built') } catch (error) { codes.push(error.code) }
        try { require.resolve('pg-native') } catch (error) { codes.push(error.code) }
        const name = ['pg', 'native'].join('-')
        try { require(name) } catch (error) { codes.push(error.code) }
        try { require(['', 'app', 'a.json'].join('/')) } catch (error) { codes.push(error.message) }
        try { require([__dirname, 'a.json'].join('/')) } catch (error) { codes.push(error.message) }
        exports.codes = [...codes, typeof require('fs').readFileSync, typeof require(['o', 's'].join('')).EOL]`,
      ),
    }
    const none = 'MODULE_NOT_FOUND'
    expect(await resultOf(files)).toEqual([
      none,
      "Cannot find module 'pg-native'",
      none,
      none,
      none,
      expect.stringMatching(/^Cannot find module '\/app\/a\.json'\. A job has only the files/),
      expect.stringMatching(
        /\/careful\/a\.json'\. "careful" loads files .* Use another package\.$/,
      ),
      'function',
      'string',
      'own',
    ])
    expect((await bundleApp(files)).warnings).toEqual(
      ['pg-native', './not-built'].map((missing) => ({
        path: 'node_modules/careful/index.js',
        message: expect.stringContaining(`"${missing}" is optional`),
      })),
    )
  })

  it('may load an optional peer outside of a try block, which fails only when the code runs', async () => {
    const files = {
      'main.ts': `import { load } from 'careless'
        const codeOf = (act) => Promise.resolve().then(act).then(String, (error) => error.code ?? error.name)
        export const main = async () => [await codeOf(load.now), await codeOf(load.later)]`,
      ...packageFiles(
        'careless',
        `exports.load = { now: () => require('@db/driver/fast'), later: () => import('typescript').then((ts) => ts.version) }`,
        { peerDependenciesMeta: { '@db/driver': { optional: true } } },
      ),
    }
    const [now, later] = [await resultOf(files)].flat()
    expect(now).toBe('MODULE_NOT_FOUND')
    expect(later).not.toBe('undefined')
    expect((await bundleApp(files)).warnings).toHaveLength(2)
  })

  it('may make itself a require() and ask for its place', async () => {
    const files = {
      'main.ts': `import { createRequire } from 'node:module'
        import place from 'place'
        import { esm } from 'esm'
        const require = createRequire(import.meta.url)
        export const main = () => ({ place, esm, data: require('./lib/data.json'), path: require('path').sep })`,
      'lib/data.json': '{"a":1}',
      ...packageFiles(
        'place',
        `#!/usr/bin/env node
"use strict"
module.exports = [__dirname, __filename, ((__dirname) => __dirname)('own')]`,
      ),
      ...packageFiles(
        'esm',
        `import * as module from 'module'
        import { fileURLToPath } from 'url'
        const __filename = fileURLToPath(import.meta.url)
        const requireHere = module.createRequire(import.meta.url)
        const later = (name) => { try { return typeof requireHere(name) } catch (error) { return error.code } }
        export const esm = [__filename, import.meta.dirname, requireHere('./part.cjs'), later('fs'), later('gone')]`,
        { type: 'module' },
      ),
      'node_modules/esm/part.cjs': 'module.exports = 7',
    }
    expect(await resultOf(files)).toEqual({
      place: ['/app/node_modules/place', '/app/node_modules/place/index.js', 'own'],
      esm: [
        '/app/node_modules/esm/index.js',
        '/app/node_modules/esm',
        7,
        'object',
        'MODULE_NOT_FOUND',
      ],
      data: { a: 1 },
      path: '/',
    })
  })

  it('may give its require() another name, or call it where it is made', async () => {
    const files = {
      'main.ts': `import { parts } from 'parts'
        export const main = () => parts`,
      ...packageFiles(
        'parts',
        `import { createRequire } from 'node:module'
        import { fileURLToPath } from 'node:url'
        const load = createRequire(fileURLToPath(import.meta.url))
        const r = createRequire(import.meta.url)
        const own = (r) => r('fs').length
        const version = createRequire(import.meta.url)('./package.json').version
        export const parts = [load('./data.json'), r('./part.cjs'), version, own((text) => text)]`,
        { type: 'module', version: '1.2.3' },
      ),
      'node_modules/parts/data.json': '{"a":1}',
      'node_modules/parts/part.cjs': 'module.exports = 7',
    }
    expect(await resultOf(files)).toEqual([{ a: 1 }, 7, '1.2.3', 2])
  })

  it('gets the default of a compiled CommonJS module as in Node, and an app as with TypeScript', async () => {
    const compiled = `Object.defineProperty(exports, '__esModule', { value: true })
      exports.a = 1; exports.default = 2`
    const files = {
      'main.ts': `import all from 'esm'
        import own, { a } from 'compiled'
        import all2, { b } from 'without-default'
        export const main = () => ({ ...all, own, a, loader: [all2.b, b] })`,
      ...packageFiles('compiled', compiled),
      ...packageFiles(
        'without-default',
        "Object.defineProperty(exports, '__esModule', { value: true }); exports.b = 3",
      ),
      ...packageFiles(
        'esm',
        `import whole, { a } from 'compiled'
        import * as names from 'compiled'
        import plain from './plain.cjs'
        import inner from './inner.mjs'
        import six from 'bundled'
        export default { whole: { ...whole }, a, names: [names.a, names.default === whole], plain, inner, six }`,
        { type: 'module' },
      ),
      ...packageFiles(
        'bundled',
        'const inner = (x) => (x?.__esModule ? x.default : x);const six=inner(6);export{six as default};',
        { module: 'index.js' },
      ),
      'node_modules/esm/plain.cjs': 'module.exports = 7',
      'node_modules/esm/inner.mjs':
        "import compiled from './compiled.cjs'\nexport default compiled.default",
      'node_modules/esm/compiled.cjs': compiled,
    }
    expect(await resultOf(files)).toEqual({
      whole: { a: 1, default: 2 },
      a: 1,
      names: [1, true],
      plain: 7,
      inner: 2,
      six: 6,
      own: 2,
      loader: [3, 3],
    })
  })

  it('reads the data files that its code names, relative to its own place', async () => {
    const files = {
      'main.ts': `import { readFileSync } from 'node:fs'
        import { readFile } from 'node:fs/promises'
        import { reads } from 'reads'
        const page = new URL('./pages/a b.html', import.meta.url)
        export const main = async () => [readFileSync(page, 'utf8'), await readFile(page, { encoding: 'utf8' }), ...await reads()]`,
      'pages/a b.html': '<p>',
      ...packageFiles(
        'reads',
        `const fs = require('fs'), path = require('path')
        const read = fs.readFileSync
        const later = (name) => new Promise((done) => fs.readFile(name, (error, data) => done(error ?? data.toString('hex'))))
        exports.reads = async () => [
          read(__dirname + '/data.bin').length, await later(path.join(__dirname, 'lib', '..', 'data.bin')),
          read(\`\${__dirname}/in/#1.json\`, 'utf8'), fs.existsSync(path.join(__dirname, 'data.bin')),
          fs.existsSync(__dirname + '/none.bin'), require.resolve('./worker.js')]`,
      ),
      'node_modules/reads/worker.js': '',
      'node_modules/reads/data.bin': '\u00e9',
      'node_modules/reads/in/#1.json': '{}',
    }
    expect(await resultOf(files)).toEqual([
      '<p>',
      '<p>',
      2,
      'c3a9',
      '{}',
      true,
      false,
      '/app/node_modules/reads/worker.js',
    ])
    // svc deploy sends these files to the server, which must make the same bundle
    expect((await bundleApp(files)).sources).toEqual(
      Object.keys(files).toSorted((a, b) => (a < b ? -1 : 1)),
    )
  })

  it('may set a prototype by __proto__, and ask for memory', async () => {
    const code = `function Later(act) { const made = new Promise(act); made.__proto__ = Later.prototype; return made }
      Later.__proto__ = Promise
      Later.prototype.__proto__ = Promise.prototype
      exports.main = async () => [await Later.resolve(7), ({}).__proto__ === Object.prototype,
        process.availableMemory() > 0, process.constrainedMemory() > 0, Object.keys(Object.prototype)]`
    expect(
      await resultOf({ 'main.ts': "export { main } from 'old'", ...packageFiles('old', code) }),
    ).toEqual([7, true, true, true, []])
  })

  it('sees the same machine everywhere', async () => {
    const facts = await resultOf({
      'main.ts': `import os, { hostname, EOL } from 'node:os'
        import { more } from 'facts'
        export const main = () => [hostname(), EOL, os.release(), os.homedir(), os.cpus().length, os.totalmem(), more]`,
      ...packageFiles(
        'facts',
        `const os = require('os'); exports.more = [os.hostname(), os.userInfo().username, os.platform(), os.networkInterfaces()]`,
      ),
    })
    expect(facts).toEqual([
      'svc',
      '\n',
      '0.0.0',
      '/nonexistent',
      1,
      2_147_483_648,
      ['svc', 'svc', 'linux', {}],
    ])
  })

  it('sees a user, and nothing of the host’s environment', async () => {
    const code = `import { env, geteuid } from 'node:process'
      const ids = [process.getuid(), geteuid(), process.getgid(), process.getegid()]
      export const main = () => ({ ids, secrets: [env.SVC_TEST_SECRET, process.env.SVC_TEST_SECRET] })`
    vi.stubEnv('SVC_TEST_SECRET', 'of the host')
    const told = await resultOf({ 'main.ts': code })
    vi.unstubAllEnvs()
    expect(told).toEqual({ ids: user, secrets: [null, null] })
  })

  it('may ask whether it may use its own files', async () => {
    const code = `import fs from 'node:fs'
      const file = process.env.TMPDIR ?? '.'
      const later = () => new Promise((resolve) => fs.access(file, fs.constants.W_OK, resolve))
      export const main = async () => [fs.accessSync(file), await fs.promises.access(file), await later()]`
    expect(await resultOf({ 'main.ts': code })).toEqual([null, null, null])
  })

  it('learns that a file does not exist, whatever the place and the import', async () => {
    const code = `import fs, { existsSync } from 'node:fs'
      import { tmpdir } from 'node:os'
      import { promisify } from 'node:util'
      import required from 'required'
      const gone = '/nonexistent/.env'
      export const main = async () => [existsSync(gone), fs.existsSync(gone), await promisify(fs.exists)(gone),
        required.existsSync(gone), existsSync(tmpdir()), fs.constants.R_OK]`
    const files = { 'main.ts': code, ...packageFiles('required', "module.exports = require('fs')") }
    expect(await resultOf(files)).toEqual([false, false, false, false, true, 4])
  })

  it('finds an empty standard input, whatever the import', async () => {
    const files = {
      'main.ts': `import process, { stdin } from 'node:process'
        import { createInterface } from 'node:readline'
        import required from 'required'
        export const main = async () => {
          const parts = []
          for await (const line of createInterface({ input: stdin })) parts.push(line)
          for await (const part of process.stdin) parts.push(part)
          await new Promise((resolve) => createInterface({ input: stdin }).on('close', resolve))
          return [...parts, globalThis.process.stdin === stdin, required.stdin === stdin]
        }`,
      ...packageFiles('required', "module.exports = require('process')"),
    }
    expect(await resultOf(files)).toEqual([true, true])
  })

  it('reads an empty standard input from files too, and takes further jobs', async () => {
    const files = {
      'main.ts': `import fs, { closeSync, openSync, readSync } from 'node:fs'
        import { readFile } from 'node:fs/promises'
        import { promisify } from 'node:util'
        import required from 'required'
        const bytes = Buffer.alloc(9)
        const sizeOf = async (stream) => (await Array.fromAsync(stream)).length
        export const main = async () => [fs.readFileSync(0).length, readSync(0, bytes), required.readFileSync(0, 'utf8'),
          (await promisify(fs.read)(0, bytes, 0, 9, null)).bytesRead, (await promisify(fs.readFile)(0)).length,
          (await readFile('/dev/stdin')).length, fs.readFileSync('/proc/self/fd/0', 'utf8'),
          readSync(openSync('/dev/stdin'), bytes), await sizeOf(fs.createReadStream('', { fd: 0 })),
          await sizeOf(fs.createReadStream('/dev/stdin')), fs.readvSync(0, [bytes]), fs.readFileSync(process.stdin.fd).length,
          (await promisify(fs.readv)(0, [bytes])).bytesRead, closeSync(0)]`,
      ...packageFiles('required', "module.exports = require('fs')"),
    }
    const empty = [0, 0, '', 0, 0, 0, '', 0, 0, 0, 0, 0, 0, null]
    expect([await resultOf(files), await resultOf(files)]).toEqual([empty, empty])
  })

  it('reads into several buffers, until the end of a file', async () => {
    const files = {
      'main.ts': `import fs, { readv, readvSync } from 'node:fs'
        import { open } from 'node:fs/promises'
        import { tmpdir } from 'node:os'
        import { promisify } from 'node:util'
        const buffers = () => [Buffer.alloc(2), Buffer.alloc(9)]
        export const main = async () => {
          const path = tmpdir() + '/letters'
          fs.writeFileSync(path, 'abcdef')
          const file = fs.openSync(path)
          const parts = buffers()
          const sizes = [readvSync(file, parts), readvSync(file, buffers()), readvSync(file, buffers(), 3)]
          const later = promisify(readv)
          for (const at of [0, 5, 6]) sizes.push((await later(file, buffers(), at)).bytesRead)
          const handle = await open(path)
          for (const _ of sizes.slice(4)) sizes.push((await handle.readv(buffers())).bytesRead)
          await handle.close()
          return [parts.join(''), ...sizes].map((each) => String(each).replaceAll('\\0', ''))
        }`,
    }
    expect(await resultOf(files)).toEqual(['abcdef', '6', '0', '3', '6', '1', '0', '6', '0'])
  })

  it('keeps the lines of its stack traces', async () => {
    const entry = await bundleApp({
      'main.ts': `const name = ['gone'].join('')
        export const main = () => {
          require(name)
        }`,
    })
    const { code, sourceMap } = await entry.loadCode()
    const named = `${code}\n// ${entry.hash}`
    const { log } = await runJob(pool, { code: named, sourceMap, commit: entry.hash })
    expect(log).toMatch(/main\.ts:3:/)
  })
})

describe.each(PROVIDERS.slice(0, 2))('on $name, code', ({ open }) => {
  it('that lacks a permission gets an error that states what a job can do', async () => {
    const pool = openPool(open())
    const starts = ['exec', 'execFile', 'execSync', 'fork', 'spawn', 'spawnSync']
    const results = await tryAll(pool, {
      read: `Deno.readTextFile('/app/data.txt')`,
      write: `Deno.writeTextFile('/app/data.txt', '')`,
      run: `new Deno.Command('/bin/ls').output()`,
      'node:fs': `import('node:fs').then((fs) => fs.readFileSync('/app/data.txt'))`,
      'own file': `import('node:fs').then((fs) => fs.readFileSync('/app/node_modules/@a/b/data.json'))`,
      set: `Deno.env.set('A', 'b')`,
      ...Object.fromEntries(
        starts.map((name) => [
          name,
          `import('node:child_process').then((all) => all.${name}('ls'))`,
        ]),
      ),
    })
    await pool.close()
    const remedies = {
      read: 'import a file of the app instead',
      write: 'below os.tmpdir()',
      run: 'starts no programs',
      'node:fs': 'import a file of the app instead',
      'own file':
        '"@a/b" reads files of its package, which a job does not have. Use another package.',
      set: 'A job has no environment: use ctx.variables.',
      ...Object.fromEntries(
        starts.map((name) => [
          name,
          'NotCapable: A job starts no programs: use a package in JavaScript or WebAssembly.',
        ]),
      ),
    }
    for (const [name, remedy] of Object.entries(remedies)) {
      expect([name, results[name]]).toEqual([name, expect.stringContaining(remedy)])
      expect(results[name]).not.toContain('run again')
    }
  })
})

describe.each(PROVIDERS.slice(0, 2))('on $name, Deno.stdin', ({ open }) => {
  it('is at its end, and the guest takes further jobs', async () => {
    const pool = openPool(open())
    const read = `Deno.stdin.read(new Uint8Array(9))`
    const results = await tryAll(pool, {
      read,
      readSync: read.replace('read', 'readSync'),
      readable: 'Array.fromAsync(Deno.stdin.readable).then((parts) => parts.length)',
    })
    expect(results).toEqual({ read: 'open: null', readSync: 'open: null', readable: 'open: 0' })
    await pool.close()
  })
})
