/** The package as a user installs it: packed by npm and unpacked into a project without access to this repository. */
import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { buildSdk } from '../../cmd/build/build-sdk.ts'
import { ROOT } from '../support/repository.ts'

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
const DENO = join(ROOT, 'node_modules', '.bin', 'deno')
const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'svc-sdk-'))
const project = join(folder, 'project')
const installed = join(project, 'node_modules', '@svc', 'sdk')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

const ACTION = `import { type ActionContext, createApp } from '@svc/sdk'

const app = createApp()
app.use(async (ctx, next) => {
  ctx.log('attempt', ctx.job.attempt, ctx.variables.name)
  return next()
})
export const main = app.main(async (ctx: ActionContext<{ name: string }>) => {
  const links = await ctx.approval.getResumeUrls({ approver: 'a@example.com' })
  await ctx.state.set('last', ctx.input.name)
  return { greeting: \`Hello, \${ctx.input.name}!\`, page: links.approvalPage }
})
`
const INPUTS = `import type { ActionContext } from '@svc/sdk'

interface Order { id: string; note?: string; items: { count: number }[] }

export const main = async (ctx: ActionContext<{ order: Order }>) => {
  const { order } = ctx.input
  await ctx.run('ship', order)
  await ctx.startFlow('ship', { order, at: undefined })
  await ctx.sendEvent('order.shipped', { data: order })
  await ctx.sendEvent('orders.shipped', { data: [1, 'two', { three: null }] })
  // @ts-expect-error an input is an object
  await ctx.run('ship', 'text')
  // @ts-expect-error
  await ctx.call('list', 'ship', [order.id])
  // @ts-expect-error
  await ctx.call('map', 'ship', new Map([['id', order.id]]))
  // @ts-expect-error
  await ctx.call('date', 'ship', new Date())
  // @ts-expect-error
  await ctx.run('ship', () => order)
  // @ts-expect-error
  await ctx.sendEvent('order.shipped', { data: fetch('http://shop.test') })
}
`
const FUNCTION = `import type { FunctionContext } from '@svc/sdk'

export default (ctx: FunctionContext) => {
  ctx.set.status = 201
  ctx.set.headers['x-by'] = 'svc'
  return { method: ctx.method, sizes: ctx.files.map(({ size }) => size), id: ctx.requestId }
}
`
const CALLER = `import { ApiError, type Client, createClient, type Schemas } from '@svc/sdk/client'

export const client: Client = createClient({ url: 'http://svc.test', token: 't', workspace: 'default' })
export const find = async (id: string): Promise<Schemas['JobDetail'] | null> => {
  try {
    return await client.get('/jobs/{id}', { params: { id } })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}
`
const TESTED = `import { type DurableTest, testDurable } from '@svc/sdk/testing'
import { main } from './actions/greet.js'

const ship = (input: { order: string }) => input.order.length
export const run: Promise<DurableTest> = testDurable(main, { input: { name: 'Ada' }, actions: { ship } })
`
const WRONG = `import type { ActionContext } from '@svc/sdk'
import { client } from './caller.js'

export const main = (ctx: ActionContext<{ name: string }>) => ctx.input.nme
export const wrong = () => client.get('/jobs/{id}', { params: { key: '1' } })
`
/** Calls a server that is a function, and prints the results. */
const PROGRAM = `import { createApp } from '@svc/sdk'
import { ApiError, createClient } from '@svc/sdk/client'
import { testDurable } from '@svc/sdk/testing'

const run = await testDurable(async (ctx) => {
  await ctx.sleep('pause', { days: 1 })
  return ctx.now()
})
await run.advance({ days: 2 })
const fetch = async ({ url }) => url.endsWith('/jobs/1')
  ? Response.json({ status: 'success' })
  : Response.json({ error: 'Gone.', code: 'not_found', request_id: 'r' }, { status: 404 })
const client = createClient({ url: 'http://svc.test', workspace: 'default', fetch })
const job = await client.get('/jobs/{id}', { params: { id: '1' } })
const error = await client.get('/jobs/{id}', { params: { id: '2' } }).catch((error) => error)
const lost = await testDurable(async () => {
  void Promise.reject(new Error('lost'))
  setTimeout(() => { throw new Error('late') }, 5)
  await new Promise((go) => setTimeout(go, 20))
})
const answers = [typeof createApp().main, job.status, error instanceof ApiError, error.code, lost.error.message]
console.log(JSON.stringify([...answers, new Date(run.result).toISOString()]))
`

beforeAll(async () => {
  // another test of this process may have set the confined bundler, which reads no files
  vi.stubEnv('ESBUILD_BINARY_PATH', undefined)
  buildSdk(join(folder, 'sdk'))
  vi.unstubAllEnvs()
  await run('npm', ['pack', '--ignore-scripts', '--offline', './sdk'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
  })
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', join(folder, archive), '--strip-components=1', '-C', installed])
  write('package.json', '{ "type": "module" }')
  write('actions/greet.ts', ACTION)
  write('actions/inputs.ts', INPUTS)
  write('functions/hello/index.ts', FUNCTION)
  write('caller.ts', CALLER)
  write('tested.ts', TESTED)
  write('wrong.ts', WRONG)
  write('program.js', PROGRAM)
})

const check = (files: readonly string[], ...flags: readonly string[]) =>
  run(process.execPath, [TSC, '--ignoreConfig', '--noEmit', '--strict', ...flags, ...files], {
    cwd: project,
  }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )

const GOOD = [
  'actions/greet.ts',
  'actions/inputs.ts',
  'functions/hello/index.ts',
  'caller.ts',
  'tested.ts',
]

it('holds code and types, and no source', () => {
  const names = readdirSync(installed)
  expect(names).toEqual(expect.arrayContaining(['README.md', 'client.d.ts', 'client.js', 'mod.js']))
  expect(names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([])
  for (const name of names.filter((each) => /\.(js|d\.ts)$/.test(each))) {
    expect(readFileSync(join(installed, name), 'utf8')).not.toMatch(/ from '[^']+\.ts'/)
  }
})

it('has only the part of zod that the durable tests use', () => {
  expect(statSync(join(installed, 'testing.js')).size).toBeLessThan(300_000)
})

it('has the licences of the packages in its bundle', () => {
  const text = readFileSync(join(installed, 'LICENSES.txt'), 'utf8')
  expect(text).toMatch(/^zod \S+ \(MIT\)$/m)
  expect(text).toContain('Copyright (c) 2025 Colin McDonnell')
})

it.each([
  ['a bundler and browser', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ['Node', ['--module', 'nodenext', '--exactOptionalPropertyTypes']],
])('types an action, a function and a caller for %s', async (_, flags) => {
  // the check includes the package's own types
  expect(await check(GOOD, ...flags, '--target', 'es2023', '--lib', 'es2023,dom')).toBe('')
})

it('finds the slips of an action and a caller', async () => {
  const found = await check(['wrong.ts'], '--module', 'nodenext', '--lib', 'es2023,dom')
  expect(found).toContain("'nme' does not exist")
  expect(found).toContain("'key' does not exist")
})

it.each([
  ['Node', process.execPath, ['program.js']],
  ['Deno', DENO, ['run', '--no-remote', '--node-modules-dir=manual', 'program.js']],
])('runs on %s', async (_, program, args) => {
  const { stdout } = await run(program, args, { cwd: project })
  expect(JSON.parse(stdout)).toEqual([
    'function',
    'success',
    true,
    'not_found',
    'lost',
    '2026-01-02T00:00:00.000Z',
  ])
})
