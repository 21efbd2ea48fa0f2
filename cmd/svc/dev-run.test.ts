/** Tests `svc dev run`, which runs an action of a folder without a server, in a worker's sandbox. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DevFolder, FLOWS, openDevFolder, writeFiles } from '../../test/support/dev-folder.ts'
import {
  lockFileOf,
  startPackageRegistry,
  stubPackage,
} from '../../test/support/package-registry.ts'
import { CHILD_ENV, PROGRAM } from '../../test/support/svc-process.ts'

const [COMMAND = '', ...BEFORE] = PROGRAM

const APP = `
key: shop
actions:
  - key: greet
    entrypoint: actions/greet.ts
    inputSchema: { type: object, required: [name] }
  - { key: boom, entrypoint: actions/boom.ts }
  - { key: slow, entrypoint: actions/slow.ts, timeoutS: 1 }
  - { key: forever, entrypoint: actions/forever.ts }
  - { key: orders, entrypoint: actions/orders.ts }
  - { key: sum, entrypoint: actions/sum.ts }
  - { key: starts, entrypoint: actions/starts.ts }
  - { key: again, entrypoint: actions/again.ts }
  - { key: agent, entrypoint: actions/agent.ts }
  - { key: answer, entrypoint: actions/answer.ts }
  - { key: dunning, entrypoint: actions/dunning.ts }
events: [{ name: invoice.due, action: dunning }, { name: refund.due, flow: ask }]
schedules:
  - { key: weekly, cron: "@weekly", action: dunning }
  - { key: asks, cron: "@daily", flow: ask }
flows:
  - { key: hello, steps: [{ key: one, action: greet }] }
  - key: ask
    steps:
      - { key: ok, kind: approval, onReject: continue }
      - { key: answer, action: answer, input: { decision: "\${results.ok.decision}" } }
${FLOWS}`
const FILES = {
  'app.yaml': APP,
  '.env': 'GREETING="Good day"\n',
  'node_modules/polite/package.json': '{ "main": "main.js" }',
  'node_modules/polite/main.js': "export const please = (text) => text + ', please'",
  'actions/greet.ts': `import { please } from 'polite'
import { mark } from '../lib/mark'
export const main = async (ctx) => {
  console.log('attempt', ctx.job.attempt, 'of', ctx.job.app)
  await ctx.state.set('n', 1)
  return { text: please(ctx.variables.GREETING + ' ' + ctx.input.name + mark), n: await ctx.state.get('n') }
}`,
  'lib/mark.ts': "export const mark: string = '!'",
  'actions/boom.ts': "export const main = () => {\n  throw new RangeError('too much')\n}\n",
  'actions/slow.ts': 'export const main = () => new Promise(() => setInterval(() => 0, 100))',
  'actions/forever.ts': `export const main = () => {
  console.log('begun')
  return new Promise(() => setInterval(() => 0, 100))
}`,
  'actions/orders.ts':
    "export const main = (ctx) => {\n  ctx.log('looking')\n  return [1, 2, 3]\n}",
  'actions/agent.ts': `export const main = async (ctx) => {
  const { flowRunId: match } = await ctx.startFlow('ask')
  const said = await ctx.waitForEvent('said', { name: 'ask.answered', match, timeoutS: 60 })
  return said === null ? 'nothing' : said.data
}`,
  'actions/answer.ts':
    "export const main = (ctx) => ctx.sendEvent('ask.answered', { key: ctx.flow.runId, data: ctx.input.decision })",
  'actions/starts.ts': `export const main = async (ctx) => {
  const { jobId } = await ctx.run('greet', { name: 'Bob' }, { delayS: 60, idempotencyKey: 'k' })
  const again = await ctx.run('greet', { name: 'Bob' }, { idempotencyKey: 'k' })
  await ctx.startFlow('broken')
  const codes = []
  try { await ctx.startFlow('escalated') } catch ({ code }) { codes.push(code) }
  for (const [target, input] of [['greet', {}], ['missing', {}], ['other/greet', {}]]) {
    try { await ctx.run(target, input) } catch ({ code }) { codes.push(code) }
  }
  return { same: again.jobId === jobId, codes }
}`,
  'actions/again.ts':
    "export const main = async (ctx) => { await ctx.run('again'); return 'more' }",
  'actions/dunning.ts': `export const main = async (ctx) => {
  const first = await ctx.step('first', () => { console.log('first runs'); return 1 })
  await ctx.sleep('cool-off', { days: 7 })
  const late = await ctx.waitForEvent('late', { name: 'order.late', timeoutS: 86400 })
  const paid = await ctx.waitForEvent('paid', { name: 'order.paid', match: 'o1' })
  const sum = await ctx.call('greet', 'greet', { name: 'Ada' })
  const greeting = await ctx.callFlow('hello', 'hello', { name: 'Bob' })
  let refused = ''
  try { await ctx.call('none', 'none') } catch ({ code }) { refused = code }
  await ctx.sleep('last', { days: 1 })
  return { first, late, paid: paid.data, text: sum.text, greeting: greeting.text, refused }
}`,
  'actions/sum.ts':
    'export const main = ({ input, flow }) => input.orders.filter((n) => n <= flow.resumeValue.limit)',
}

let app: DevFolder
beforeAll(() => {
  app = openDevFolder(FILES)
})
afterAll(() => app.close())

/** Tests below that need packages, a terminal or a signal start their own process. */
const dev = (args: readonly string[], cwd?: string) => app.dev(args, cwd)
const json = (text: string): unknown => JSON.parse(text)

describe('svc dev run', () => {
  it('takes packages from the lock file where there is no node_modules', async () => {
    const registry = await startPackageRegistry()
    const upper = await stubPackage({ name: 'upper', version: '1.2.3' }, [
      { header: { name: 'package/index.js' }, content: 'exports.upper = (t) => t.toUpperCase()' },
    ])
    registry.add(upper)
    const root = join(app.path, 'locked')
    writeFiles(root, {
      'app.yaml': 'key: locked\nactions: [{ key: shout, entrypoint: shout.ts }]\n',
      'shout.ts': "import { upper } from 'upper'\nexport const main = () => upper('a')\n",
      'package.json': JSON.stringify({ dependencies: { upper: '1.2.3' } }),
      'package-lock.json': lockFileOf([upper]),
    })
    const env = {
      ...CHILD_ENV,
      SVC_NPM_REGISTRY: registry.url,
      XDG_CACHE_HOME: join(app.path, 'cache'),
    }
    // run asynchronously, because the registry is in this process
    const child = spawn(COMMAND, [...BEFORE, 'dev', 'run', 'shout'], { cwd: root, env })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    await registry.close()
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^success {2}"A" /), ''])
  })

  it('prints the log and the result of an action', () => {
    const { stdout, stderr, status } = dev(['run', 'greet', '--input', '{"name":"Ada"}'])
    expect(stdout).toMatch(
      /^attempt 1 of shop\nsuccess {2}\{"text":"Good day Ada!, please","n":1\} {2}\d+ ms\n$/,
    )
    expect([stderr, status]).toEqual(['', 0])
  })

  it('prints the warnings of its bundle if it fails, because they may explain that', () => {
    const root = join(app.path, 'unfit')
    writeFiles(root, {
      'app.yaml': `key: unfit
actions: [{ key: draw, entrypoint: draw.ts }]
flows: [{ key: twice, steps: [{ key: a, action: draw }] }]
`,
      'draw.ts':
        "import 'playwright'\nexport const main = (ctx) => { if (ctx.input.fail) throw new Error('no') }\n",
      'node_modules/playwright/package.json': '{ "main": "main.js" }',
      'node_modules/playwright/main.js': 'exports.a = 1',
    })
    const failing = ['--input', '{"fail":true}']
    for (const run of [
      ['run', 'draw'],
      ['flow', 'twice'],
    ]) {
      expect(dev([...run, ...failing], root)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^Warning: .*Use "puppeteer-core".*\n$/),
      })
      expect(dev(run, root)).toMatchObject({ status: 0, stderr: '' })
    }
  })

  it('prints one document with --json, and ends with 1 when the action fails', () => {
    const { stdout, stderr, status } = dev(['run', 'boom', '--json'])
    expect(json(stdout)).toMatchObject({
      action: 'boom',
      status: 'failure',
      result: { name: 'RangeError', message: 'too much' },
      log: expect.stringContaining('actions/boom.ts:2'),
      duration_ms: expect.any(Number),
    })
    expect([stderr, status]).toEqual(['', 1])
  })

  it('runs what the action starts, once for each key, and refuses as a server does', () => {
    const { stdout, status } = dev(['run', 'starts', '--json'])
    expect(json(stdout)).toMatchObject({
      status: 'success',
      result: {
        same: true,
        codes: ['input_schema', 'input_schema', 'action_not_found', 'app_not_found'],
      },
      started: expect.arrayContaining([
        expect.objectContaining({ what: 'action greet', status: 'success' }),
        expect.objectContaining({ what: 'flow broken', status: 'failure' }),
      ]),
    })
    expect(status).toBe(0)
  })

  it.each([
    [['run', 'agent', '--approve', '{}'], /^success {2}"approved" /m],
    [['run', 'agent', '--approve', '{}', '--skip-time'], /^success {2}"approved" /m],
    [['run', 'agent', '--reject', 'no'], /^success {2}"rejected" /m],
    [
      ['run', 'agent', '--skip-time'],
      /waits for an approval. Answer it by --approve '\{\}' or --reject of/,
    ],
    [['fire', 'asks', '--approve', '{}'], /^success {2}flow ask /m],
    [['send', 'refund.due', '--approve', '{}'], /^success {2}flow ask /m],
  ])('answers the approvals of flows that are started: %j', (args, said) => {
    expect(dev(args).stdout).toMatch(said)
  })

  it('ends a chain of jobs that start one another', () => {
    const { stdout, status } = dev(['run', 'again'])
    expect(stdout.match(/success {2}action again/g)).toHaveLength(19)
    expect(stdout).toMatch(/failure {2}action again {2}\{"name":"ChainTooDeep"/)
    expect(status).toBe(0)
  })

  it('runs durable steps, with events that it is given and without waiting', () => {
    const { stdout, status } = dev([
      ...['run', 'dunning', '--skip-time', '--json'],
      ...['--event', 'order.paid={"amount":5}'],
    ])
    expect(json(stdout)).toMatchObject({
      status: 'success',
      result: {
        first: 1,
        late: null,
        paid: { amount: 5 },
        text: 'Good day Ada!, please',
        greeting: 'Good day Bob!, please',
        refused: 'action_not_found',
      },
      log: 'first runs\n',
    })
    expect(status).toBe(0)
  })

  it.each([
    ['send', 'invoice.due'],
    ['fire', 'weekly'],
  ])('so does svc dev %s', (...command) => {
    const given = ['--skip-time', '--event', 'order.paid={"amount":5}', '--event', 'none']
    const { stdout, stderr, status } = dev([...command, ...given])
    expect(stdout).toMatch(/^success {2}action dunning .*"amount":5/m)
    expect(stderr).toBe('No step waited for --event none.\n')
    expect(status).toBe(0)
  })

  it('gives an event with a key to the step that waits for this key', () => {
    const event = (key: string, amount: number) => [
      '--event',
      `order.paid:${key}={"amount":${amount}}`,
    ]
    const { stdout, stderr } = dev([
      ...['run', 'dunning', '--skip-time', '--json'],
      ...event('o2', 1),
      ...event('o1', 2),
    ])
    expect(json(stdout)).toMatchObject({ result: { paid: { amount: 2 } } })
    expect(stderr).toBe('No step waited for --event order.paid:o2.\n')
    const bad = dev(['run', 'dunning', '--event', 'Order paid={}'])
    expect(bad.stderr).toContain('--event Order paid={} names no event.')
    expect(bad.status).toBe(2)
  })

  it('asks at a terminal for the events that it was not given', async () => {
    const words = [...PROGRAM, 'dev', 'run', 'dunning', '--skip-time']
    const command = words.map((each) => `'${each}'`).join(' ')
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: app.path,
      env: CHILD_ENV,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    // the first event does not come, and the answer for the second is mistyped once
    const answers = [
      ['waits for the event order.late. ', ''],
      ['waits for the event order.paid with the key o1. ', '{"amount"'],
      ['That is not JSON.', '{"amount":6}'],
    ]
    let said = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += String(text)
      const [question = '', answer] = answers[0] ?? []
      const at = said.indexOf(question)
      if (answer === undefined || at === -1 || !said.slice(at).includes('> ')) continue
      answers.shift()
      child.stdin.write(`${answer}\r`)
    }
    expect(said).toContain('"late":null,"paid":{"amount":6}')
    expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(0)
  })

  it('names the event that is missing', () => {
    const { stdout, status } = dev(['run', 'dunning', '--skip-time'])
    expect(stdout).toContain('The step \\"paid\\" waits for the event order.paid')
    expect(status).toBe(1)
  })

  it('holds an action to its time', () => {
    const { stdout, status } = dev(['run', 'slow'])
    expect(stdout).toContain('"name":"Timeout"')
    expect(status).toBe(1)
  })

  it('stops an action on SIGINT', async () => {
    const child = spawn(COMMAND, [...BEFORE, 'dev', 'run', 'forever'], {
      cwd: app.path,
      env: CHILD_ENV,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += String(text)
      if (said.includes('begun') && !child.killed) child.kill('SIGINT')
    }
    const code = child.exitCode ?? (await once(child, 'exit'))[0]
    expect(said).toContain('"name":"Canceled"')
    expect(code).toBe(1)
  })

  it.each([
    {
      args: ['run'],
      sentence:
        'Which action? The app has greet, boom, slow, forever, orders, sum, starts, again, agent, answer, dunning.',
    },
    { args: ['run', 'nope'], sentence: 'There is no action nope. The app has greet,' },
    { args: ['run', 'greet'], sentence: 'input must have the field "name"' },
    { args: ['run', 'greet', '--input', '[]'], sentence: '--input must be a JSON object' },
    { args: ['run', 'greet', '--port', '1'], sentence: 'Unknown argument: port' },
    { args: ['elsewhere'], sentence: 'There is no command "svc dev elsewhere".' },
  ])('with $args prints: $sentence', ({ args, sentence }) => {
    const { stdout, stderr, status } = dev(args)
    expect(stderr).toContain(sentence)
    expect([stdout, status]).toEqual(['', 2])
  })

  it('prints the place of a fault in manifest and code', () => {
    const broken = join(app.path, 'broken')
    writeFiles(broken, { 'app.yaml': 'key: x\nactions: [{ key: a }]\n' })
    const manifest = dev(['run', 'a'], broken)
    expect(manifest.stderr).toMatch(/app\.yaml has a fault\.\napp\.yaml:2:\d+.*entrypoint/)
    writeFiles(broken, {
      'app.yaml': 'key: x\nactions: [{ key: a, entrypoint: a.ts }]\n',
      'a.ts': "import { b } from './b'\nexport const main = () => b",
    })
    const code = dev(['run', 'a'], broken)
    expect(code.stderr).toMatch(/could not be bundled\.\na\.ts:1:/)
    expect([manifest.status, code.status]).toEqual([1, 1])
  })

  it('explains how to begin in a folder without an app', () => {
    const { stderr, status } = dev(['run', 'a'], join(app.path, 'lib'))
    expect(stderr).toContain('There is no app.yaml or app.json')
    expect(status).toBe(1)
  })
})
