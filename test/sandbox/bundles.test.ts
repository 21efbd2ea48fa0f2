/** Apps as people write them, bundled as in a deploy and run as by a worker. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleEntries } from '#bundle/bundle-entries.ts'
import type { JsonValue } from '#core/json/value.ts'
import type { Sandbox } from '#sandbox/sandbox.ts'
import { type AppTexts, toAppFiles } from '../support/app-files.ts'
import { leastLongestTurnMs } from '../support/longest-turn.ts'
import { denoProvider, type Ended, openPool, runJob } from './job.ts'

let pool: Sandbox
beforeAll(() => {
  pool = openPool(denoProvider())
})
afterAll(() => pool.close())

const bundle = (files: AppTexts, entrypoints = ['main.ts']) =>
  bundleEntries(toAppFiles(files), entrypoints)

const run = async (files: AppTexts, input: JsonValue = {}): Promise<Ended> => {
  const [entry] = await bundle(files)
  if (entry === undefined) throw new Error('Nothing was bundled.')
  // the code names itself by its hash, because these tests identify code by its text and a worker by this hash
  const { code, sourceMap } = await entry.loadCode()
  const named = `${code}\n// ${entry.hash}`
  return runJob(pool, { code: named, sourceMap, input, commit: entry.hash })
}

const resultOf = async (files: AppTexts, input?: JsonValue): Promise<unknown> => {
  const { outcome, log } = await run(files, input)
  if (outcome.kind !== 'success') throw new Error(`${JSON.stringify(outcome)} ${log}`)
  return JSON.parse(outcome.resultJson)
}

const pkg = (name: string, manifest: object, files: AppTexts): AppTexts => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, ...manifest }),
  ...Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`node_modules/${name}/${path}`, text]),
  ),
})

it('sends a process 10 MB of code without blocking the event loop', async () => {
  const code = `export const data = '${'x'.repeat(10_000_000)}'\nexport const main = () => data.length`
  // runJob takes the text of the code for its hash, which would be sent with each run
  const named = (bundleHash: string): Sandbox => ({
    ...pool,
    run: (request, ...rest) => pool.run({ ...request, bundleHash }, ...rest),
  })
  const ms = await leastLongestTurnMs(async (at) => {
    const { outcome } = await runJob(named(`large-${at}`), { code, limits: { memoryMb: 1_024 } })
    expect(outcome).toMatchObject({ kind: 'success', resultJson: '10000000' })
  })
  expect(ms).toBeLessThan(50)
})

describe('a bundled app', () => {
  it('may import its own modules, JSON, texts and bytes', async () => {
    const result = await resultOf(
      {
        'main.ts': `
        import { double } from './lib/double.js'
        import data from './data.json'
        import more from './data.json' with { type: 'json' }
        import page from './page.html'
        import raw from './data.json' with { type: 'text' }
        import logo from './logo.png'
        export const main = async (ctx: { input: { n: number } }) => {
          const lazy = await import('./lib/lazy.ts')
          return { n: double(ctx.input.n), data, more, page, raw, logo: [...logo], lazy: lazy.value, url: typeof import.meta.url }
        }`,
        'lib/double.ts': 'export const double = (n: number): number => n * 2',
        'lib/lazy.ts': 'export const value = await Promise.resolve("lazy")',
        'data.json': '{"a": 1}',
        'page.html': '<p>한글</p>',
        'logo.png': 'PNG',
      },
      { n: 4 },
    )
    expect(result).toEqual({
      n: 8,
      data: { a: 1 },
      more: { a: 1 },
      page: '<p>한글</p>',
      raw: '{"a": 1}',
      logo: [80, 78, 71],
      lazy: 'lazy',
      url: 'string',
    })
  })

  it('may ship packages of both module systems, which may use what is built in', async () => {
    const result = await resultOf({
      'main.ts': `
        import legacy, { join } from 'legacy'
        import { modern } from '@scope/modern/feature'
        import { basename } from 'path'
        import { createHash } from 'node:crypto'
        export const main = () => [legacy.emit(), join('a', 'b'), modern, basename('/x/y'), createHash('sha1').update('').digest('hex').slice(0, 4)]`,
      ...pkg(
        'legacy',
        { main: 'lib' },
        {
          'lib/index.js': `
          var EventEmitter = require('events'), path = require('path'), util = require('node:util'), dep = require('dep')
          function Thing() { EventEmitter.call(this) }
          util.inherits(Thing, EventEmitter)
          exports.join = path.join
          exports.emit = function () { var t = new Thing(), got; t.on('x', function (v) { got = v }); t.emit('x', dep.env); return got }`,
        },
      ),
      ...pkg(
        'legacy/node_modules/dep',
        {},
        { 'index.js': 'module.exports = { env: process.env.NODE_ENV }' },
      ),
      ...pkg(
        '@scope/modern',
        { exports: { './feature': { import: './esm.mjs', require: './cjs.cjs' } } },
        {
          'esm.mjs': 'export const modern = "esm"',
          'cjs.cjs': 'exports.modern = "cjs"',
        },
      ),
    })
    expect(result).toEqual(['production', 'a/b', 'esm', 'y', 'da39'])
  })

  it('may have JSX of both kinds', async () => {
    const react = pkg(
      'react',
      {},
      {
        'index.js': "exports.createElement = (tag, props, child) => ['classic ' + tag, child]",
        'jsx-runtime.js': "exports.jsx = (tag, { children }) => ['automatic ' + tag, children]",
      },
    )
    const preact = pkg(
      'preact',
      {},
      {
        'jsx-runtime.js': "exports.jsx = (tag, { children }) => ['preact ' + tag, children]",
      },
    )
    const result = await resultOf({
      'main.ts': `
        import { a } from './a.tsx'
        import { b } from './b.tsx'
        import { c } from './c.jsx'
        import { d } from './d.tsx'
        import { e } from './e.tsx'
        export const main = () => [a, b, c, d, e]`,
      'a.tsx': 'export const a = <p>a</p>',
      'b.tsx': "import * as React from 'react'\nexport const b = <p>b</p>\n// the end",
      'c.jsx':
        "/** @jsx h */\nconst h = (tag, props, child) => ['h', child]\nexport const c = <p>c</p>",
      'd.tsx': '/** @jsxImportSource preact */\nexport const d = <p>d</p>',
      'e.tsx': "import type * as React from 'react'\nexport const e: React.ReactNode = <p>e</p>",
      ...react,
      ...preact,
    })
    expect(result).toEqual([
      ['automatic p', 'a'],
      ['classic p', 'b'],
      ['h', 'c'],
      ['preact p', 'd'],
      ['automatic p', 'e'],
    ])
  })

  it('may ask for variables of an environment that is empty, by every name of it', async () => {
    const result = await resultOf({
      'main.ts': `
        import named from 'node:process'
        import legacy from 'legacy'
        export const main = () => {
          process.env.MINE = 'set'
          return [process.env.DEBUG ?? null, Object.keys(process.env), named.env === process.env, legacy, 'PATH' in named.env]
        }`,
      ...pkg(
        'legacy',
        {},
        {
          'index.js':
            'module.exports = [process.env.DEBUG === undefined, require("process").env.MINE === undefined]',
        },
      ),
    })
    expect(result).toEqual([null, ['MINE'], true, [true, true], false])
  })

  it('may ask Deno for the same variables, as packages that detect Deno do while they load', async () => {
    const result = await resultOf({
      'main.ts': `
        import { found } from 'sdk'
        export const main = () => {
          process.env.MINE = 'set'
          const { env } = globalThis.Deno
          return [found, env.get('MINE'), env.get('toString') ?? null, env.has('MINE'), env.has('PATH'), env.toObject()]
        }`,
      ...pkg(
        'sdk',
        {},
        {
          'index.js':
            "exports.found = 'Deno' in globalThis ? [globalThis.Deno.env.toObject(), globalThis.Deno.env.get('KEY') ?? null] : []",
        },
      ),
    })
    expect(result).toEqual([[{}, null], 'set', null, true, false, { MINE: 'set' }])
  })

  it('may use the global process without importing it', async () => {
    const main = 'export const main = () => [process.env.HOME ?? null, typeof process.nextTick]'
    expect(await resultOf({ 'main.ts': main })).toEqual([null, 'function'])
  })

  it("names the author's file and line when it throws, also from a package and after a comment", async () => {
    const files = {
      'main.ts':
        "import { check } from './lib/check.ts'\n\nexport const main = () => {\n  check(-1)\n}\n",
      'lib/check.ts':
        "type N = number\nexport const check = (n: N): void => {\n  if (n < 0) throw new RangeError('too small')\n}\n",
    }
    const { outcome, log } = await run(files)
    expect(outcome).toMatchObject({ error: { name: 'RangeError', message: 'too small' } })
    expect(log).toMatch(/lib\/check\.ts:3:20/)
    expect(log).toMatch(/main\.ts:4:3/)
    const moved = { ...files, 'lib/check.ts': `// one\n// two\n${files['lib/check.ts']}` }
    expect((await run(moved)).log).toMatch(/lib\/check\.ts:5:20/)
  })

  it('may call another svc by the client of the SDK', async () => {
    const result = await resultOf(
      {
        'main.ts': `
          import { ApiError, createClient } from '@svc/sdk/client'
          const fetch = async ({ url }: Request) => url.endsWith('/jobs/1')
            ? Response.json({ status: 'queued' })
            : Response.json({ error: 'No.', code: 'forbidden' }, { status: 403 })
          export const main = async () => {
            const client = createClient({ url: 'https://svc.test', workspace: 'default', fetch })
            const job = await client.get('/jobs/{id}', { params: { id: '1' } })
            const error = await client.get('/jobs').catch((error: unknown) => error)
            return [job.status, error instanceof ApiError ? error.code : null]
          }`,
      },
      {},
    )
    expect(result).toEqual(['queued', 'forbidden'])
  })

  it('has middleware by the SDK, and a context that asks the host for links', async () => {
    const result = await resultOf(
      {
        'main.ts': `
          import { createApp, type ActionContext } from '@svc/sdk'
          const app = createApp()
          app.use(async (ctx, next) => { ctx.input = { was: ctx.input }; return next() })
          export const main = app.main(async (ctx: ActionContext<{ was: unknown }>) => {
            const links = await ctx.approval.getResumeUrls({ approver: 'a' }).catch((error: Error) => error.message)
            return { ...ctx.input, keys: Object.keys(ctx).sort(), resume: ctx.flow.resumeValue ?? null, links }
          })`,
      },
      { a: 1 },
    )
    expect(result).toEqual({
      was: { a: 1 },
      keys: [
        'approval',
        'call',
        'callFlow',
        'cancel',
        'fetch',
        'flow',
        'input',
        'job',
        'log',
        'now',
        'progress',
        'random',
        'resources',
        'run',
        'sendEvent',
        'signal',
        'sleep',
        'startFlow',
        'state',
        'step',
        'trigger',
        'uuid',
        'variables',
        'waitForEvent',
      ],
      resume: null,
      links: { approver: 'a' },
    })
  })

  it('is not changed by configuration that it carries, and runs none of it', async () => {
    const files = {
      'main.ts':
        "import { value } from './value.ts'\nimport 'plain'\nexport const main = () => value",
      'value.ts': 'export const value = "the file"',
      'tsconfig.json':
        '{ "extends": "/etc/hostname", "compilerOptions": { "paths": { "./value.ts": ["/etc/passwd"] }, "jsxFactory": "x" } }',
      'package.json':
        '{ "browser": { "./value.ts": "/etc/passwd" }, "scripts": { "preinstall": "touch /tmp/svc-owned" }, "esbuild": { "plugins": ["./evil.js"] } }',
      'esbuild.config.js': 'throw new Error("ran")',
      ...pkg(
        'plain',
        { browser: { './index.js': '/etc/passwd' }, sideEffects: true },
        { 'index.js': '' },
      ),
    }
    expect(await resultOf(files)).toBe('the file')
  })

  it('is one bundle for one content', async () => {
    const files = {
      'main.ts': 'export const main = () => 1',
      'two.ts': 'export const main = () => 1',
    }
    const [first, second] = await bundle(files, ['main.ts', 'two.ts'])
    const [again] = await bundle({ ...files, 'other.ts': 'not part of it' })
    const { loadCode, ...facts } = first ?? {}
    expect(again).toMatchObject(facts)
    expect(await again?.loadCode()).toEqual(await loadCode?.())
    // the same code in another file
    expect(second?.hash).not.toBe(first?.hash)
  })

  it('may be of a great many entries', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `actions/a${n}.ts`)
    const files = Object.fromEntries(
      names.map((name, n) => [name, `export const main = () => ${n}`]),
    )
    const entries = await bundle(files, names)
    expect(entries.map(({ entrypoint }) => entrypoint)).toEqual(names)
    expect((await entries[59]?.loadCode())?.code).toContain('59')
  })
})
