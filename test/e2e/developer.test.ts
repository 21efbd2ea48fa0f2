/**
 * From login to redeploy, as a developer works at a terminal [functions 15]: each
 * command, file and message. Another machine pulls what this one has deployed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { usageOf } from '../bench/process-usage.ts'
import { type AppTexts, oneActionApp } from '../support/app-files.ts'
import { packApp, toUpload } from '../support/bundle-archive.ts'
import { type CommandServer, openCommandServer } from '../support/command-server.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'
import { type Folder, makeTemplate, type Node } from './durable-node.ts'

const [COMMAND = '', ...BEFORE] = PROGRAM
const PASSWORD = 'correct horse battery'

let folder: Folder
let node: Node
let commands: CommandServer
const home = mkdtempSync(join(tmpdir(), 'svc-home-'))
const project = mkdtempSync(join(tmpdir(), 'svc-project-'))
const children: ChildProcess[] = []
beforeAll(async () => {
  commands = openCommandServer()
  folder = await makeTemplate({ SVC_ADMIN_PASSWORD: PASSWORD })
  node = await folder.start()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(async () => {
  commands.close()
  await node.process.stop()
  folder.remove()
  for (const path of [home, project]) rmSync(path, { recursive: true, force: true })
})

type Options = Readonly<{ cwd?: string; env?: Readonly<Record<string, string>>; input?: string }>

const svc = (args: readonly string[], { cwd = project, env = {}, input = '' }: Options = {}) =>
  commands.run({ args, cwd, env: { ...CHILD_ENV, HOME: home, ...env }, input })

const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(COMMAND, [...BEFORE, ...args], {
    cwd: project,
    env: { ...CHILD_ENV, HOME: home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  const until = async (pattern: RegExp, withinMs = 20_000): Promise<RegExpExecArray> => {
    const deadline = performance.now() + withinMs
    for (;;) {
      const match = pattern.exec(said)
      if (match !== null) return match
      if (performance.now() > deadline) throw new Error(`Never said ${pattern}:\n${said}`)
      await sleep(10)
    }
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, until, ended, said: () => said }
}

const uploadApp = async (files: AppTexts): Promise<void> => {
  const sent = await toUpload(await packApp(files))
  const answered = await fetch(`${node.url}/api/w/default/deployments`, {
    method: 'POST',
    headers: { ...sent.headers, authorization: `Bearer ${folder.token}` },
    body: sent.body,
  })
  expect(answered.status).toBe(201)
}

const read = (...path: readonly string[]) => readFileSync(join(project, ...path), 'utf8')
const write = (path: string, text: string): void => {
  mkdirSync(join(project, path, '..'), { recursive: true })
  writeFileSync(join(project, path), text)
}

const manifestShape = z.looseObject({
  version: z.string(),
  appId: z.string(),
  lastDeploy: z.string(),
  functions: z.record(z.string(), z.object({ hash: z.string(), deployedAt: z.string() })),
})
const manifest = () => manifestShape.parse(JSON.parse(read('.svc', 'manifest.json')))

/** Does what a browser does with the page that login names. */
const confirm = async (code: string): Promise<void> => {
  const login = await fetch(`${node.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: node.url },
    body: JSON.stringify({ email: 'admin@localhost', password: PASSWORD }),
  })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const answer = await fetch(`${node.url}/api/auth/device/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie, origin: node.url },
    body: JSON.stringify({ user_code: code, approve: true }),
  })
  expect(answer.status).toBe(200)
}

describe('a developer', () => {
  it('who is not logged in, or in the wrong folder, gets the remedy', () => {
    expect(svc(['apps'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Not logged in'),
    })
    expect(svc(['pull'])).toMatchObject({ status: 1, stderr: expect.stringContaining('svc login') })
    for (const command of ['dev', 'build', 'deploy']) {
      const { status, stderr } = svc([command])
      expect([command, status]).toEqual([command, 1])
      expect(stderr).toContain('No .svcrc found')
      expect(stderr).toContain('svc pull')
    }
    const wrong = svc(['apps'], { env: { SVC_TOKEN: 'svc_x', SVC_URL: node.url } })
    expect(wrong).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('invalid or expired token'),
    })
    const nobody = svc(['apps'], { env: { SVC_TOKEN: 'x', SVC_URL: 'http://127.0.0.1:9' } })
    expect(nobody.stderr).toContain('does not answer')
  })

  it('logs in by a browser', async () => {
    const login = start(['login'])
    login.child.stdin.end(`${node.url}\n`)
    const [, code = ''] = await login.until(/confirm the code (\S+)\./)
    await confirm(code)
    expect(await login.ended).toBe(0)
    expect(login.said()).toContain('Logged in to')
    const path = join(home, '.svc', 'credentials.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ endpoint: node.url })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(svc(['apps']).stdout).toContain('crash')
  })

  it('pulls an app, makes a function from a template, and deploys it', async () => {
    await fetch(`${node.url}/api/w/default/apps`, {
      method: 'POST',
      headers: { authorization: `Bearer ${folder.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'site', name: 'Site' }),
    })
    expect(svc(['pull', 'nope']).stderr).toContain('not found')
    expect(svc(['pull', 'site'])).toMatchObject({ status: 0 })
    expect(JSON.parse(read('.svcrc'))).toEqual({
      application: { id: 'site', name: 'Site' },
      dev: { port: 3000, watch: true },
    })
    expect(svc(['templates', 'hello']).stdout).toContain('curl http://localhost:3000/hello')
    expect(svc(['templates', 'shared-module'])).toMatchObject({ status: 0 })
    expect(svc(['templates', 'hello'])).toMatchObject({ status: 1 })
    expect(svc(['templates'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('error-handling'),
    })
    expect(svc(['build'])).toMatchObject({ status: 0 })
    expect(read('functions.yaml')).toContain('name: hello')
    expect(svc(['deploy'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('site/hello'),
    })
    const { functions, appId, version } = manifest()
    expect([version, appId, Object.keys(functions)]).toEqual([
      '1.0',
      'site',
      ['hello', 'shared-module'],
    ])
    const answer = await fetch(`${node.url}/fn/default/site/hello`)
    expect(await answer.text()).toBe('Hello from svc!')
  })

  it('deploys what has changed, what it names, or all', () => {
    expect(svc(['deploy', '--changed'])).toMatchObject({
      status: 0,
      stdout: 'Nothing has changed.\n',
    })
    const before = manifest()
    write('functions/hello/index.ts', "export default () => 'Hello again!'\n")
    const changed = svc(['deploy', '--changed', '--json'])
    expect(JSON.parse(changed.stdout)).toMatchObject({ deployed: [{ name: 'hello' }], skipped: [] })
    const after = manifest()
    expect(after.functions.hello?.hash).not.toBe(before.functions.hello?.hash)
    expect(after.functions['shared-module']).toEqual(before.functions['shared-module'])
    expect(svc(['deploy', 'hello']).stdout).toContain('Unchanged: hello')
    expect(svc(['deploy', '--all']).stdout).toMatch(/\/hello {2}unchanged/)
    expect(JSON.parse(svc(['deploy', '--all', '--json']).stdout)).toMatchObject({ skipped: [] })
    for (const command of ['deploy', 'pull']) {
      const missing = svc([command, 'none'])
      expect([command, missing.status]).toEqual([command, 1])
      expect(missing.stderr).toMatch(/none/)
    }
    expect(svc(['deploy', '--all', '--changed'])).toMatchObject({ status: 2 })
  })

  it('sees faults with their place', () => {
    write('functions/broken/index.ts', "import x from 'validator'\nexport default x\n")
    const wrong = svc(['build'])
    expect(wrong.status).toBe(1)
    expect(wrong.stderr).toContain('functions/broken/index.ts:1:')
    expect(wrong.stderr).toContain(
      'Cannot find module "validator". Use a relative import such as ./validator.',
    )
    write('functions/broken/index.ts', 'export default 1\n')
    write('functions/broken/more.ts', '')
    expect(svc(['deploy']).stderr).toContain(
      'Validation failed: multi-file function must include function.yaml or openapi.yaml',
    )
    rmSync(join(project, 'functions', 'broken'), { recursive: true })
    const expired = svc(['deploy', '--all'], { env: { SVC_TOKEN: 'svc_gone', SVC_URL: node.url } })
    expect(expired.status).toBe(1)
    expect(expired.stderr).toContain('Deploy failed: Unauthorized - invalid or expired token')
  })

  it('works on a local server that reloads one function by itself', async () => {
    write('.env', 'NAME="Ada"\n')
    write(
      'functions/who/index.ts',
      "export default (ctx) => { console.log('called'); return ctx.variables.NAME }\n",
    )
    const dev = start(['dev', '--port', '0'])
    const [, url = ''] = await dev.until(/site at (http:\S+)/)
    const get = async (path: string) => (await fetch(`${url}/${path}`)).text()
    expect(await get('who')).toBe('Ada')
    await dev.until(/200 GET +\/who/)
    await dev.until(/called/)
    expect((await fetch(`${url}/none`)).status).toBe(404)
    const hellosBefore = dev.said().match(/↻ hello/g)?.length
    const { pid = 0 } = dev.child
    const before = usageOf(pid).cpuS
    write('functions/who/index.ts', "export default () => 'changed'\n")
    while ((await get('who')) !== 'changed') await sleep(50)
    expect(usageOf(pid).cpuS - before).toBeLessThan(2)
    expect(dev.said().match(/↻ hello/g)?.length).toBe(hellosBefore)
    write('functions/who/index.ts', "import './nothing'\n")
    await dev.until(/Dev server error: Cannot find "\.\/nothing".* \(functions\/who\/index\.ts:1:/)
    write('functions/who/index.ts', "import x from 'validator'\nexport default x\n")
    const sentence =
      'Dev server error: Cannot find module "validator". Use a relative import such as ./validator. (functions/who/index.ts:1:'
    await dev.until(new RegExp(sentence.replaceAll(/[.()]/g, '\\$&')))
    expect(await get('who')).toContain('Dev server error: Cannot find module')
    write('lib/word.ts', "export const word = 'shared'\n")
    write(
      'functions/who/index.ts',
      "import { word } from '../../lib/word'\nexport default () => word\n",
    )
    while ((await get('who')) !== 'shared') await sleep(5)
    write('lib/word.ts', "export const word = 'shared and changed'\n")
    while ((await get('who')) !== 'shared and changed') await sleep(5)
    expect((await fetch(`${url}/hello`)).status).toBe(200)
    const port = new URL(url).port
    const second = svc(['dev', '--port', port])
    expect(second.stderr).toContain(`svc dev --port ${Number(port) + 1}`)
    dev.child.kill('SIGINT')
    expect(await dev.ended).toBe(0)
    rmSync(join(project, 'functions', 'who'), { recursive: true })
  })

  it('pulls from another machine what this one has deployed, and loses nothing', () => {
    const other = mkdtempSync(join(tmpdir(), 'svc-other-'))
    expect(svc(['pull', 'site', '--dir', '.'], { cwd: other }).status).toBe(0)
    expect(readFileSync(join(other, 'functions/hello/index.ts'), 'utf8')).toContain('again')
    writeFileSync(join(other, 'functions/hello/index.ts'), "export default () => 'theirs'\n")
    expect(svc(['deploy', '--changed'], { cwd: other }).stdout).toContain('site/hello')
    write('functions/hello/index.ts', "export default () => 'mine'\n")
    const refused = svc(['pull', 'site'])
    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain('functions/hello/index.ts')
    expect(read('functions', 'hello', 'index.ts')).toContain('mine')
    expect(svc(['pull', 'site', '--force']).status).toBe(0)
    expect(read('functions', 'hello', 'index.ts')).toContain('theirs')
    rmSync(other, { recursive: true })
  })

  it('pulls again without losing what was set in .svcrc', () => {
    const rc = read('.svcrc')
    const own = { ...JSON.parse(rc), dev: { port: 4_321, watch: false }, mine: 1 }
    write('.svcrc', JSON.stringify(own))
    expect(svc(['pull', '--force']).stdout).toContain('Pulled site into')
    expect(svc(['pull', 'crash']).stderr).toContain('This folder belongs to the app site.')
    expect(JSON.parse(read('.svcrc'))).toEqual(own)
    write('.svcrc', rc)
  })

  it.each(['staging.rc', '.svcrc.staging', 'other/folder/rc'])(
    'follows the rc file %s where SVCRC names it, with a state of its own',
    (rc) => {
      const app = `site-${rc.replaceAll(/[^a-z]/g, '')}`
      write(rc, JSON.stringify({ application: { id: app, name: 'Staging' } }))
      const before = read('.svc', 'manifest.json')
      const at = { env: { SVCRC: rc } }
      expect(svc(['deploy'], at)).toMatchObject({ status: 0, stderr: `Created the app ${app}.\n` })
      expect(svc(['apps', '--json']).stdout).toContain(app)
      expect(svc(['deploy', '--changed'], at).stdout).toBe('Nothing has changed.\n')
      expect(read('.svc', 'manifest.json')).toBe(before)
      expect(svc(['deploy', '--changed']).stdout).toBe('Nothing has changed.\n')
    },
  )

  it('shares lib/ and installed packages between functions', () => {
    write('lib/word.ts', "export const word = 'one'\n")
    write('node_modules/p/index.js', "try { require('gone') } catch {}\nmodule.exports = '!'\n")
    write(
      'functions/sharing/index.ts',
      "import { word } from '../../lib/word'\nimport p from 'p'\nexport default () => word + p\n",
    )
    const added = svc(['deploy', 'sharing'])
    expect(added.stdout).toContain('site/sharing  added')
    expect(added.stderr).toMatch(/^Warning: node_modules\/p\/index\.js: "gone" is optional/)
    expect(svc(['deploy', '--changed']).stdout).toBe('Nothing has changed.\n')
    write('lib/word.ts', "export const word = 'two'\n")
    const again = svc(['deploy', '--changed'])
    expect(again.stdout).toContain('site/sharing  changed')
    expect(again.stdout).not.toContain('site/hello')
    rmSync(join(project, 'functions', 'sharing'), { recursive: true })
    expect(svc(['deploy']).stdout).toContain('On the server only, unchanged: sharing')
  })

  it('goes back to a former deployment of an app', async () => {
    const history = z.looseObject({
      items: z.array(z.looseObject({ deployment_id: z.string(), commit: z.string() })),
    })
    const listed = () =>
      history.parse(JSON.parse(svc(['apps', 'history', 'back', '--json']).stdout)).items
    for (const answer of ['first', 'second']) await uploadApp(oneActionApp('back', answer))
    const [second, first] = listed()
    const refused = svc(['apps', 'redeploy', second?.deployment_id ?? ''])
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('current one')])
    expect(svc(['apps', 'redeploy', 'none']).stderr).toContain(
      'not found. `svc apps history <app>` lists the deployments.',
    )
    const done = svc(['apps', 'redeploy', first?.deployment_id ?? '', '--message', 'Back'])
    expect(done).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^~ action run {2}changed\nback is at [0-9a-f]{12} again: /),
    })
    expect(listed()[0]?.commit).toBe(first?.commit)
    expect(svc(['run', 'back/run', '--wait']).stdout).toContain('first')
    expect(svc(['apps', 'history', 'back']).stdout).toMatch(/^DEPLOYMENT +COMMIT[\s\S]* Back\n/)
    expect(svc(['apps', 'history', 'nobody']).stderr).toContain('not found')
  })

  it('asks before something that is deployed goes, and wants --yes without a terminal', async () => {
    const one = oneActionApp('shrink')
    const entry = '  - key: more\n    entrypoint: run.ts\n'
    await uploadApp(one)
    await uploadApp({ ...one, 'app.yaml': `${one['app.yaml']}${entry}` })
    const items = z.looseObject({ items: z.array(z.looseObject({ deployment_id: z.string() })) })
    const first = items.parse(JSON.parse(svc(['apps', 'history', 'shrink', '--json']).stdout))
      .items[1]
    const back = ['apps', 'redeploy', first?.deployment_id ?? '']
    expect(svc(back)).toMatchObject({
      status: 1,
      stdout: '- action more  removed\n',
      stderr: 'This removes action more. Nothing was deployed. Run it with --yes to go on.\n',
    })
    expect(svc(['apps', 'actions', 'shrink']).stdout).toContain('shrink/more')
    expect(svc([...back, '--yes'])).toMatchObject({ status: 0 })
    expect(svc(['apps', 'actions', 'shrink']).stdout).not.toContain('shrink/more')
  })

  it('reads logs as JSON, whole or as they come', async () => {
    const code = "export const main = () => {\n  console.log('one')\n  console.log('two')\n}\n"
    await uploadApp({ ...oneActionApp('chatty'), 'run.ts': code })
    const id = svc(['run', 'chatty/run']).stdout.trim()
    const parts = svc(['logs', id, '-f', '--json']).stdout.trim().split('\n')
    const texts = parts.map((line) => z.object({ log: z.string() }).parse(JSON.parse(line)).log)
    expect(texts.join('')).toBe('one\ntwo\n')
    const whole = JSON.parse(svc(['logs', id, '--json']).stdout)
    expect(whole).toEqual({ job_id: id, log: 'one\ntwo\n' })
    expect(svc(['logs', id, '-t']).stdout).toMatch(/^\d{4}-.+Z stdout one\n\d{4}-.+Z stdout two\n$/)
    expect(svc(['logs', id, '-t', '-f']).stderr).toContain('cannot be combined with --follow')
  })

  it('queues a job for each line of a file, and replays and cancels all that match', {
    timeout: 120_000,
  }, () => {
    const lines = [7, 8, 9].map((id) => ({
      app: 'crash',
      action: id === 9 ? 'fails' : 'quick',
      input: { id },
      idempotency_key: `line-${id}`,
    }))
    const input = lines.map((line) => JSON.stringify(line)).join('\n')
    const batch = () => svc(['jobs', 'batch', '-', '--json'], { input })
    const { job_ids } = z.object({ job_ids: z.array(z.string()) }).parse(JSON.parse(batch().stdout))
    expect(job_ids).toHaveLength(3)
    // the keys of the lines make the command safe to repeat
    expect(JSON.parse(batch().stdout)).toEqual({ job_ids, queued: 0 })
    const broken = svc(['jobs', 'batch', '-'], { input: `${input}\n{"app":1}` })
    expect(broken).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Line 4 is not a job'),
    })
    const unknown = svc(['jobs', 'batch', '-'], { input: '\n{"app":"crash","action":"none"}' })
    expect(unknown.stderr).toMatch(/line 2[\s\S]*0 jobs were queued, none from line 2 on/)
    const [, , failing = ''] = job_ids
    expect(svc(['logs', failing, '-f']).status).toBe(0)
    const again = svc(['jobs', 'replay', failing])
    expect(again.stdout).toMatch(/^[0-9a-f-]{36}\n$/)
    expect(svc(['logs', again.stdout.trim(), '-f']).status).toBe(0)
    const filter = ['--filter', 'status=failure,app=crash,action=fails']
    expect(svc(['jobs', 'replay', ...filter])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/would replay 2 jobs. Nothing was done. Run it with --yes/),
    })
    expect(svc(['jobs', 'replay', ...filter, '--yes']).stdout).toBe('Replayed 2 of 2. 0 failed.\n')
    const none = svc(['jobs', 'cancel', '--filter', 'app=none', '--yes'])
    expect(none.stdout).toBe('No job matches.\n')
    const latest = svc(['jobs', 'replay', ...filter, '--latest'])
    expect(latest.stderr).toContain('--latest applies to one job: svc jobs replay <id> --latest')
    expect(svc(['jobs', 'cancel', '--filter', 'color=red'])).toMatchObject({ status: 2 })
    expect(svc(['jobs', 'cancel'])).toMatchObject({ status: 2 })
  })

  it('runs actions, looks at jobs and logs, and gets JSON for programs', {
    // the command line starts about two dozen times
    timeout: 120_000,
  }, () => {
    const ran = svc(['run', 'crash/quick', '--input', '{"id":7}', '--wait'])
    expect(ran).toMatchObject({ status: 0, stdout: 'success  {"id":7,"attempt":1}\n' })
    const id = svc(['run', 'crash/quick', '--input', '-'], { input: '{"id":8}' }).stdout.trim()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(svc(['logs', id, '-f']).status).toBe(0)
    const shown: unknown = JSON.parse(svc(['jobs', 'show', id, '--json']).stdout)
    expect(shown).toMatchObject({ id, app: 'crash' })
    expect(svc(['jobs', '--limit', '2']).stdout).toMatch(/JOB +ACTION[\s\S]*crash\/quick +success/)
    expect(svc(['jobs', 'cancel', id]).stdout).toContain('already ended')
    for (const list of ['schedules', 'webhooks', 'tokens', 'git', 'workers']) {
      expect([list, svc([list]).status]).toEqual([list, 0])
      expect(() => JSON.parse(svc([list, '--json']).stdout)).not.toThrow()
    }
    expect(svc(['workers']).stdout).toMatch(/TAGS +LEVEL[\s\S]* default +(runtime|os|vm) /)
    expect(svc(['run', 'crash/none']).stderr).toContain(
      'not found. `svc apps actions crash` lists its actions, and `svc flows` the flows.',
    )
    expect(svc(['apps', 'actions', 'crash']).stdout).toMatch(/ACTION[\s\S]*crash\/quick +\S+\.ts/)
    expect(svc(['run', 'none/quick']).stderr).toContain('not found. `svc apps` lists the apps.')
    expect(svc(['flows', 'run', 'crash/none']).stderr).toContain('`svc flows` lists the flows.')
    expect(svc(['run', 'crash']).status).toBe(2)
    expect(svc(['completion', 'bash']).stdout).toContain('svc')
  })

  it('shows the log of a job that it waits for apart from the result, and progress only at a terminal', async () => {
    await uploadApp({
      'app.yaml': 'key: steady\nactions: [{ key: go, entrypoint: go.ts }]\n',
      'go.ts':
        "export const main = async (ctx) => { ctx.log('began'); await ctx.progress(0.5, 'half'); await ctx.sleep('nap', { seconds: 2 }); return 1 }",
    })
    const ran = svc(['run', 'steady/go', '--wait'])
    expect(ran).toMatchObject({ status: 0, stdout: 'success  1\n' })
    expect(ran.stderr).toContain('began\n')
    expect(ran.stderr).not.toContain('50 %')
    expect(ran.stderr).toContain('It waits in the step "nap" until ')
    expect(svc(['run', 'steady/go', '--wait', '--quiet']).stderr).toBe('')
  })

  it('prints what the pipes to jq in docs/cli.md take apart', () => {
    const list = z.object({ items: z.array(z.looseObject({ id: z.string(), app: z.string() })) })
    const jobs = svc(['jobs', '--app', 'crash', '--limit', '1', '--json']).stdout
    expect(list.parse(JSON.parse(jobs)).items).toHaveLength(1)
    const ran = svc(['run', 'crash/quick', '--input', '{"id":7}', '--wait', '--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ result: { id: 7 } })
    const lost = svc(['jobs', 'show', '01a1fd91-3d6b-770e-a570-5f660007cb1b', '--json'])
    expect([lost.status, lost.stdout]).toEqual([1, ''])
    expect(JSON.parse(lost.stderr)).toEqual({ error: expect.any(String), code: expect.any(String) })
  })

  it('completes names and ids of the server', () => {
    const complete = (...words: readonly string[]): readonly string[] =>
      svc(['--get-yargs-completions', 'svc', ...words])
        .stdout.split('\n')
        .filter(Boolean)
    expect(complete('run', 'crash/q')).toEqual(['crash/quick'])
    expect(complete('apps', 'history', 'cr')).toEqual(['crash'])
    expect(complete('jobs', '--app', 'cr')).toEqual(['crash'])
    expect(complete('jobs', '--sta')).toContain('--status')
    const ids = z.object({ items: z.array(z.looseObject({ id: z.string() })) })
    for (const [list, words] of [
      [['jobs'], ['jobs', 'show', '']],
      [['tokens'], ['tokens', 'revoke', '']],
    ] as const) {
      const { items } = ids.parse(JSON.parse(svc([...list, '--json']).stdout))
      expect([list, complete(...words)]).toEqual([list, expect.arrayContaining([items[0]?.id])])
    }
    expect(svc(['variables', 'set', 'SHOWN', '--plain'], { input: 'x' }).status).toBe(0)
    expect(complete('variables', 'delete', 'SH')).toEqual(['SHOWN'])
    expect(svc(['variables', 'delete', 'SHOWN']).status).toBe(0)
  })

  it('shows who, where and what, and writes what it lists', () => {
    expect(svc(['whoami']).stdout).toContain('workspace default')
    expect(svc(['status']).stdout).toMatch(/ok[\s\S]*0 queued[\s\S]*1 worker /)
    expect(svc(['top']).stdout).toMatch(/WORKER +SLOTS/)
    expect(svc(['open', 'approvals', '--print']).stdout).toMatch(/\/ui\/w\/default\/approvals\n$/)
    const lost = svc(['open', 'nopage', '--print'])
    expect([lost.status, lost.stdout]).toEqual([2, ''])
    expect(lost.stderr).toContain(
      'no page "nopage". Name the id of a job or flow run, or one of account,',
    )

    const made = svc(['schedules', 'create', 'crash/quick', '--cron', '@daily', '--json'])
    const { id } = z.looseObject({ id: z.string() }).parse(JSON.parse(made.stdout))
    expect(svc(['schedules']).stdout).toMatch(
      /crash\/quick +@daily .* in \d+ (?:hour|minute|second)s?/,
    )
    expect(svc(['schedules', 'disable', id]).stdout).toContain('off')
    expect(svc(['schedules', 'delete', id]).stdout).toBe(`Deleted ${id}.\n`)
    expect(svc(['schedules', 'delete', id, '--json']).stderr).toMatch(/"code":"\w*not_found"/)

    expect(svc(['variables', 'set', 'HUSH'], { input: 'hush-hush\n' }).status).toBe(0)
    const variables = svc(['variables'])
    expect(variables.stdout).toMatch(/HUSH +secret/)
    expect(variables.stdout).not.toContain('hush-hush')
    expect(svc(['variables', 'delete', 'HUSH']).status).toBe(0)

    const token = svc(['tokens', 'create', 'ci', '--scopes', 'jobs:run', '--json'])
    const kept = z
      .looseObject({ id: z.string(), token: z.string() })
      .parse(JSON.parse(token.stdout))
    const asToken = { env: { SVC_TOKEN: kept.token } }
    expect(svc(['whoami'], asToken).stdout).toContain('Scopes: jobs:run')
    // it may run a job and wait for it, although it may not read its log
    expect(svc(['run', 'crash/quick', '--wait'], asToken).stdout).toMatch(/^success/)
    expect(svc(['tokens', 'revoke', kept.id]).stdout).toBe('Revoked ci.\n')
    expect(svc(['whoami'], asToken).status).toBe(1)

    expect(svc(['git', 'sync', 'none']).status).not.toBe(0)
    expect(svc(['webhooks', 'deliveries', 'crash/none']).stderr).toContain('not found')
  })

  it('finds each template to work as it is', async () => {
    const place = mkdtempSync(join(tmpdir(), 'svc-templates-'))
    writeFileSync(join(place, '.svcrc'), JSON.stringify({ application: { id: 'all' } }))
    const names = z
      .array(z.object({ name: z.string() }))
      .parse(JSON.parse(svc(['templates', '--list', '--json']).stdout))
      .map(({ name }) => name)
    expect(names).toEqual([
      'hello',
      'echo',
      'math',
      'get-query',
      'post-body',
      'fetch-api',
      'error-handling',
      'request-metadata',
      'shared-module',
    ])
    for (const name of names) expect(svc(['templates', name, '--dir', place]).status).toBe(0)
    expect(existsSync(join(place, 'functions/shared-module/validator.ts'))).toBe(true)
    expect(svc(['deploy'], { cwd: place })).toMatchObject({ status: 0 })
    const call = (path: string, body?: unknown) =>
      fetch(`${node.url}/fn/default/all/${path}`, {
        ...(body === undefined
          ? {}
          : {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            }),
      })
    expect(await (await call('math?a=6&b=7&op=mul')).json()).toEqual({ result: 42 })
    expect((await call('math?a=x')).status).toBe(400)
    expect(await (await call('get-query?name=Ada')).json()).toEqual({
      greeting: 'Hello, Ada!',
      limit: 10,
    })
    expect((await call('post-body', { name: 'Ada' })).status).toBe(201)
    expect((await call('post-body', {})).status).toBe(400)
    expect((await call('error-handling?fail=yes')).status).toBe(422)
    expect((await call('error-handling?fail=hard')).status).toBe(500)
    expect(await (await call('request-metadata')).json()).toMatchObject({ protocol: 'http' })
    expect(await (await call('shared-module?mail=a@b.example')).json()).toEqual({ valid: true })
    // there is no internet, and the function reports it
    expect((await call('fetch-api?url=http://10.0.0.1/')).status).toBe(502)
    expect(await (await call('echo?x=1')).json()).toMatchObject({ query: { x: '1' } })
    rmSync(place, { recursive: true })
  })
})
