/** Tests `svc dev` in a folder with an app.yaml: webhooks, schedules and events run like actions, flows and functions. */
import { spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { dirname, join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { CHILD_ENV, PROGRAM } from '../../test/support/svc-process.ts'

const [COMMAND = '', ...BEFORE] = PROGRAM
const folder = makeMemoryFolder('svc-dev-server-')

const APP = `key: shop
actions:
  - { key: receive, entrypoint: actions/receive.ts }
  - { key: boom, entrypoint: actions/boom.ts }
  - { key: tick, entrypoint: actions/tick.ts }
  - { key: slow, entrypoint: actions/slow.ts }
  - { key: split, entrypoint: actions/split.ts }
  - { key: strict, entrypoint: actions/receive.ts, inputSchema: { type: object, required: [amount] } }
flows:
  - key: order
    steps:
      - { key: paid, kind: event, name: order.paid, match: o1 }
      - { key: show, action: tick, input: { paid: "\${results.paid.data}" } }
webhooks:
  - key: github
    action: receive
    verify: { scheme: github, secret: [GH_SECRET, GH_OLD] }
    dedupe: { body: id }
    respond: { waitS: 20 }
  - { key: open, action: receive, verify: { scheme: token, header: x-key, secret: NOT_SET } }
  - { key: fails, action: boom, verify: { scheme: none }, respond: { waitS: 20 } }
  - { key: orders, flow: order, verify: { scheme: none } }
  - { key: parsed, action: receive, verify: { scheme: none }, input: json, respond: { waitS: 20 } }
schedules:
  - { key: often, cron: "@every 1s", action: tick, input: { by: often } }
  - { key: slowly, cron: "@every 1s", action: slow, overlap: skip }
  - { key: yearly, cron: "0 9 1 1 *", timezone: Asia/Seoul, action: tick, input: { by: yearly } }
  - { key: never, cron: "@daily", action: boom, enabled: false }
events:
  - { name: order.paid, action: tick }
  - { name: order.paid, action: strict }
  - { name: order.split, action: split }
  - { name: order.failed, action: boom }
`
const FILES = {
  'app.yaml': APP,
  '.env': 'GH_SECRET=s3cret\n',
  'actions/receive.ts': `export const main = async (ctx) => {
  const count = await ctx.state.update('count', (old) => Number(old) + 1)
  return { input: ctx.input, kind: ctx.trigger.kind, raw: ctx.trigger.raw, event: ctx.trigger.headers?.['X-Event'], token: ctx.trigger.headers?.['X-Key'], count }
}`,
  'actions/boom.ts': "export const main = () => { throw new RangeError('too much') }",
  'actions/split.ts': "export const main = ({ run }) => run('boom', {})",
  'actions/tick.ts':
    'export const main = ({ trigger: { kind, event, fireTime }, input }) => ({ kind, event, fireTime, input })',
  'actions/slow.ts': 'export const main = () => new Promise((done) => setTimeout(done, 4000))',
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) write(path, text)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const WAIT_MS = 30_000

const spawnDev = (...args: readonly string[]) => {
  const child = spawn(COMMAND, [...BEFORE, 'dev', '--port', '0', ...args], {
    cwd: folder,
    env: CHILD_ENV,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const until = async (pattern: RegExp): Promise<RegExpExecArray> => {
    const deadline = performance.now() + WAIT_MS
    for (;;) {
      const found = pattern.exec(output)
      if (found !== null) return found
      if (performance.now() > deadline) throw new Error(`No ${pattern} in:\n${output}`)
      await sleep(20)
    }
  }
  const stop = async (): Promise<number | null> => {
    child.kill('SIGINT')
    return ended
  }
  return { child, until, stop, output: () => output }
}

const startDev = async (...args: readonly string[]) => {
  const dev = spawnDev(...args)
  const [, url = ''] = await dev.until(/shop at (http:\S+)/)
  const post = async (
    path: string,
    body: string,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const answer = await fetch(`${url}${path}`, { method: 'POST', body, headers })
    const json: unknown = JSON.parse(await answer.text())
    return { status: answer.status, json, replayed: answer.headers.get('idempotency-replayed') }
  }
  return { ...dev, url, post }
}

const signature = (body: string): string =>
  `sha256=${createHmac('sha256', 's3cret').update(body).digest('hex')}`

describe('svc dev in a folder with an app.yaml', () => {
  it('needs no .svcrc, and lists webhooks, schedules and events', async () => {
    const dev = await startDev()
    await dev.until(/order\.paid {2}action strict/)
    expect(dev.output()).toMatch(/POST http:\S+\/hook\/dev\/shop\/github {2}action receive\n/)
    expect(dev.output()).toMatch(/\/shop\/open {2}action receive {2}not verified: set NOT_SET in/)
    expect(dev.output()).toMatch(
      /yearly {2}0 9 1 1 \* {2}next \d{4}-01-01 09:00 Asia\/Seoul {2}action tick/,
    )
    expect(dev.output()).toMatch(/never {2}@daily {2}disabled {2}action boom/)
    await sleep(1_500)
    expect(dev.output()).not.toContain('often fired')
    expect(await dev.stop()).toBe(0)
  })

  it('verifies, deduplicates and answers deliveries', async () => {
    const dev = await startDev()
    const path = '/hook/dev/shop/github'
    const body = '{"id":7}'
    expect((await fetch(`${dev.url}${path}`)).status).toBe(405)
    expect((await dev.post('/hook/dev/shop/none', body)).status).toBe(404)
    expect(await dev.post(path, body, { 'x-hub-signature-256': 'sha256=00' })).toMatchObject({
      status: 401,
      json: { code: 'bad_signature' },
    })
    const headers = { 'x-hub-signature-256': signature(body), 'x-event': 'push' }
    expect(await dev.post(path, body, headers)).toMatchObject({
      status: 200,
      json: { input: body, raw: body, kind: 'webhook', event: 'push', count: 1 },
    })
    expect(await dev.post(path, body, headers)).toMatchObject({
      status: 202,
      json: { job_id: expect.any(String) },
      replayed: 'true',
    })
    // state is kept when app.yaml is read again
    write('.env', 'GH_SECRET=s3cret\nOTHER=1\n')
    await dev.until(/↻ app\.yaml/)
    const next = '{"id":8}'
    const signed = { 'x-hub-signature-256': signature(next) }
    expect(await dev.post(path, next, signed)).toMatchObject({ status: 200, json: { count: 2 } })
    expect(await dev.post('/hook/dev/shop/open', 'x', { 'x-key': 'hidden' })).toMatchObject({
      status: 202,
    })
    expect(await dev.post('/hook/dev/shop/parsed', '{"n": 1.50}')).toMatchObject({
      status: 200,
      json: { input: { n: 1.5 }, raw: '{"n": 1.50}' },
    })
    expect(await dev.post('/hook/dev/shop/parsed', 'n=1')).toMatchObject({
      status: 400,
      json: { code: 'malformed_json' },
    })
    await dev.until(/not verified: set NOT_SET in \.env\n/)
    await dev.until(/action receive {2}\{"input":"x","kind":"webhook","raw":"x","count":3\}/)
    expect(await dev.post('/hook/dev/shop/fails', '')).toMatchObject({
      status: 502,
      json: { code: 'job_failed' },
    })
    expect(await dev.stop()).toBe(0)
  })

  it('starts by events what waits for them and what app.yaml names', async () => {
    const dev = await startDev()
    const event = JSON.stringify({ name: 'order.paid', key: 'o1', data: { amount: 5 }, id: 'e1' })
    const json = { 'content-type': 'application/json' }
    expect(
      await dev.post('/api/w/dev/events', event, { 'content-type': 'text/plain' }),
    ).toMatchObject({ status: 415 })
    expect(await dev.post('/api/w/dev/events', '{"name":"No"}', json)).toMatchObject({
      status: 400,
    })
    expect((await dev.post('/hook/dev/shop/orders', '')).status).toBe(202)
    expect(await dev.post('/api/w/dev/events', event, json)).toMatchObject({
      status: 200,
      json: { event_id: 'e1', delivered: 3 },
    })
    await dev.until(
      /action tick {2}\{"kind":"event","event":\{"id":".*","name":"order.paid","key":.*\},"input":\{"amount":5\}\}/,
    )
    await dev.until(/flow order {2}\{"kind":"webhook","input":\{"paid":\{"amount":5\}\}\}/)
    expect(await dev.post('/api/w/dev/events', event, json)).toMatchObject({
      json: { delivered: 0 },
    })
    const odd = JSON.stringify({ name: 'order.paid', data: {} })
    expect(await dev.post('/api/w/dev/events', odd, json)).toMatchObject({ json: { delivered: 1 } })
    await dev.until(/failure {2}action strict/)
    expect(await dev.stop()).toBe(0)
  })

  it('fires schedules with --schedules, and respects their overlap', async () => {
    const dev = await startDev('--schedules')
    await dev.until(/often fired[\s\S]*often fired/)
    await dev.until(
      /action tick {2}\{"kind":"schedule","fireTime":"\d{4}-.*Z","input":\{"by":"often"\}\}/,
    )
    await dev.until(/slowly skipped: The former run has not ended/)
    write('app.yaml', APP.replace('"@every 1s", action: tick', '"0 0 * * *", action: tick'))
    await dev.until(/↻ app\.yaml/)
    const fired = dev.output().match(/often fired/g)?.length
    await sleep(2_500)
    expect(dev.output().match(/often fired/g)?.length).toBe(fired)
    write('app.yaml', 'key: [')
    await dev.until(/Dev server error: .*app\.yaml/)
    write('app.yaml', APP)
    expect(await dev.stop()).toBe(0)
  })

  it('serves a functions folder that appears', async () => {
    const dev = await startDev()
    write('functions/who/index.ts', "export default (ctx) => ctx.variables.WHO ?? 'unset'\n")
    await dev.until(/↻ who/)
    expect(await (await fetch(`${dev.url}/who`)).text()).toBe('unset')
    write('.env', 'GH_SECRET=s3cret\nWHO=Ada\n')
    await dev.until(/↻ app\.yaml/)
    expect(await (await fetch(`${dev.url}/who`)).text()).toBe('Ada')
    expect(await dev.stop()).toBe(0)
    rmSync(join(folder, 'functions'), { recursive: true })
  })

  it('gives a function what a server gives it', async () => {
    write(
      'functions/who/index.ts',
      'export default ({ body, headers, requestId: id }) => ({ body, headers, id })\n',
    )
    const dev = await startDev()
    await dev.until(/↻ who/)
    const headers = {
      'content-type': 'application/json',
      // node:http sends no body with GET unless its length is given
      'content-length': '7',
      'x-request-id': 'mine',
      cookie: 'svc_session=svcs_1; theme=dark',
    }
    const call = (more: RequestOptions): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const sent = request(`${dev.url}/who`, {
          ...more,
          headers: { ...headers, ...more.headers },
        })
        sent.once('response', (response) => resolve(json(response)))
        sent.once('error', reject).end('{"a":1}')
      })
    const seen = { id: 'mine', headers: expect.objectContaining({ cookie: 'theme=dark' }) }
    expect(await call({ method: 'GET' })).toEqual({ ...seen, body: {} })
    expect(await call({ method: 'POST' })).toEqual({ ...seen, body: { a: 1 } })
    expect(await call({ method: 'POST', headers: { 'content-encoding': 'gzip' } })).toMatchObject({
      code: 'unsupported_media_type',
    })
    expect(await dev.stop()).toBe(0)
    rmSync(join(folder, 'functions'), { recursive: true })
  })

  it('serves a function that is saved while it starts', async () => {
    // enough functions that the last is not loaded yet when the first is
    for (let n = 0; n < 12; n += 1) write(`functions/f${n}/index.ts`, 'export default () => 1\n')
    const dev = spawnDev()
    dev.child.stdout.once('data', () =>
      write('functions/late/index.ts', 'export default () => 2\n'),
    )
    await dev.until(/↻ late/)
    expect(await dev.stop()).toBe(0)
    rmSync(join(folder, 'functions'), { recursive: true })
  })
})

const run = (...args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(COMMAND, [...BEFORE, 'dev', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: CHILD_ENV,
  })
  return { stdout, stderr, status }
}

describe('svc dev fire and svc dev send', () => {
  it('run once what a schedule or an event starts', () => {
    expect(run('fire', 'yearly')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^success {2}action tick {2}\{"kind":"schedule","fireTime":"\d{4}-.*Z","input":\{"by":"yearly"\}\}/,
      ),
    })
    // a schedule can be fired by hand even while it is disabled
    expect(run('fire', 'never', '--json')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^\{"schedule":"never","status":"failure"/),
    })
    expect(run('fire', 'nothing')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('The app has often, slowly, yearly, never.'),
    })
    const sent = run('send', 'order.paid', '--data', '{"amount":20}', '--json')
    expect(sent).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(sent.stdout)).toMatchObject({
      event: 'order.paid',
      delivered: 2,
      started: [{ status: 'success' }, { status: 'success' }],
    })
    // what a target starts decides no exit code, as with `svc dev run` and `svc dev fire`
    expect(run('send', 'order.split')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^failure {2}action boom /m),
    })
    expect(run('send', 'order.failed').status).toBe(1)
    expect(run('send', 'order.gone')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('It has order.paid, order.split, order.failed.'),
    })
  })
})
