/** A project from `svc init` to the removal of parts, as a developer deploys it at a terminal [functions 15.10, 15.11]. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '#node/version.ts'
import { PROJECT_TEMPLATES } from '#project/project-templates.ts'
import { type CommandServer, openCommandServer } from '../support/command-server.ts'
import { lockFileOf, startPackageRegistry, stubPackage } from '../support/package-registry.ts'
import { CHILD_ENV, PROGRAM } from '../support/svc-process.ts'
import { type Folder, LONG_LEASE, makeTemplate, type Node } from './durable-node.ts'

const run = promisify(execFile)

let folder: Folder
let node: Node
let commands: CommandServer
const home = mkdtempSync(join(tmpdir(), 'svc-home-'))
const shop = join(home, 'shop')
beforeAll(async () => {
  commands = openCommandServer()
  folder = await makeTemplate({})
  // without a registry, so what `svc deploy` sends must be enough
  node = await folder.start({ env: { ...LONG_LEASE, SVC_NPM_REGISTRY: 'off' } })
})
afterAll(async () => {
  commands.close()
  await node.process.stop()
  folder.remove()
  rmSync(home, { recursive: true, force: true })
})

const envOf = () => ({ ...CHILD_ENV, HOME: home, SVC_URL: node.url, SVC_TOKEN: folder.token })
const svc = (args: readonly string[], cwd = shop) => commands.run({ args, cwd, env: envOf() })

/** Deploys in a separate process, so that this one can serve packages. @returns stdout */
const deployWith = async (env: Readonly<Record<string, string>>): Promise<string> => {
  const [command = '', ...before] = PROGRAM
  const options = { cwd: shop, env: { ...envOf(), ...env } }
  const { stdout } = await run(command, [...before, 'deploy', '--yes', '--json'], options)
  return stdout
}
/** Runs `svc deploy` at a terminal. @param reply to its question */
const deployAt = async (reply: string): Promise<{ text: string; status: unknown }> => {
  const command = [...PROGRAM, 'deploy'].map((word) => `'${word}'`).join(' ')
  const terminal = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: shop,
    env: { ...envOf(), TERM: 'dumb' },
  })
  let text = ''
  terminal.stdout.on('data', (part) => {
    text += part
    if (/\[y\/N\] $/.test(text)) terminal.stdin.write(`${reply}\r`)
  })
  const [status] = await once(terminal, 'close')
  return { text, status }
}
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(shop, path)), { recursive: true })
  writeFileSync(join(shop, path), text)
}
const api = async (path: string): Promise<unknown> => {
  const headers = { authorization: `Bearer ${folder.token}` }
  return (await fetch(`${node.url}/api/w/default${path}`, { headers })).json()
}

const APP = `key: shop
actions:
  - { key: greet, entrypoint: actions/greet.ts }
  - { key: send, entrypoint: actions/send.ts }
flows:
  - { key: order, steps: [{ key: a, action: greet }] }
webhooks:
  - { key: hook, action: greet, verify: { scheme: none } }
schedules:
  - { key: nightly, cron: "@daily", action: greet }
`

describe('svc init', () => {
  it('makes a folder, and overwrites nothing', () => {
    const made = svc(['init', 'shop'], home)
    expect(made).toMatchObject({ status: 0, stdout: expect.stringContaining('Created shop with') })
    const text = readFileSync(join(shop, 'app.yaml'), 'utf8')
    expect(text).toBe(
      `# yaml-language-server: $schema=${node.url}/api/schemas/app.json\nkey: shop\n${text.split('key: shop\n')[1]}`,
    )
    const again = svc(['init', 'shop', '--template', 'flow'], home)
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('exists already') })
    expect(readFileSync(join(shop, 'app.yaml'), 'utf8')).toBe(text)
    expect(svc(['init'])).toMatchObject({ status: 1, stderr: expect.stringContaining('app.yaml') })
  })

  it('keeps the settings of npm and of editors that a folder has', () => {
    const old = join(home, 'old')
    mkdirSync(old)
    writeFileSync(join(old, 'package.json'), '{"name":"mine"}')
    const { status, stdout } = svc(['init'], old)
    expect([status, readFileSync(join(old, 'package.json'), 'utf8')]).toEqual([
      0,
      '{"name":"mine"}',
    ])
    expect(existsSync(join(old, 'tsconfig.json'))).toBe(true)
    const address = `${node.url}/docs/svc-sdk-${VERSION}.tgz`
    expect(stdout).toContain(`npm install --save-dev ${address}`)
  })

  it('names the schema that the server has', async () => {
    const answer = await fetch(`${node.url}/api/schemas/app.json`)
    expect(answer.headers.get('content-type')).toBe('application/schema+json')
    expect(await answer.json()).toMatchObject({ title: 'app.yaml of svc', required: ['key'] })
  })

  it('refuses an unknown template and a name that no app may have', () => {
    const unknown = svc(['init', 'other', '--template', 'none'], home)
    expect(unknown).toMatchObject({ status: 2, stderr: expect.stringContaining('webhook') })
    expect(svc(['init', '../up'], home)).toMatchObject({ status: 2 })
    expect(existsSync(join(home, 'other'))).toBe(false)
    expect(existsSync(join(home, '..', 'up'))).toBe(false)
  })

  it.each(PROJECT_TEMPLATES.map(({ name }) => name))(
    'makes a project of the template %s that deploys as it is',
    (name) => {
      expect(svc(['init', `t-${name}`, '--template', name], home)).toMatchObject({ status: 0 })
      const { status, stdout, stderr } = svc(['deploy'], join(home, `t-${name}`))
      const warning =
        name === 'webhook'
          ? 'Warning: webhook hook: It refuses each delivery until its variable HOOK_TOKEN is set: svc variables set HOOK_TOKEN < file\n'
          : ''
      expect([status, stderr]).toEqual([0, warning])
      expect(stdout).toMatch(/^\+ \w+ \S+ {2}added$/m)
    },
  )

  it('makes a flow whose runs can be canceled', () => {
    const id = svc(['flows', 'run', 't-flow/order', '--input', '{"amount":1}']).stdout.trim()
    const canceled = svc(['flows', 'cancel', id, '--reason', 'a test'])
    expect(canceled).toMatchObject({ status: 0, stdout: 'The run is canceled.\n' })
    expect(svc(['flows', 'show', id]).stdout).toContain('a test')
  })
})

describe('svc deploy in a folder with app.yaml', () => {
  it('prints what would be added with --dry-run, and deploys nothing', async () => {
    const { status, stdout } = svc(['deploy', '--dry-run'])
    expect(stdout).toBe('+ action greet  added\nPlan: 1 to add, 0 to change, 0 to remove.\n')
    expect(status).toBe(0)
    expect(await api('/apps/shop')).toMatchObject({ code: 'app_not_found' })
  })

  it('ships actions, flows, webhooks, schedules and functions as one deployment', async () => {
    write('app.yaml', APP)
    write('actions/send.ts', 'export const main = () => 1\n')
    write('functions/hello/index.ts', "export default () => 'hello'\n")
    const { status, stdout, stderr } = svc(['deploy', '--message', 'first'])
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^\+ action greet {2}added\n\+ action send {2}added\n\+ flow order {2}added\n\+ webhook hook {2}added\n\+ schedule nightly {2}added\n\+ function hello {2}added\nPlan: 6 to add, 0 to change, 0 to remove\.\n✓ shop is at [0-9a-f]{12}: /,
    )
    expect(await api('/deployments?app=shop')).toMatchObject({ items: [{ message: 'first' }] })
    expect(await api('/schedules?app=shop')).toMatchObject({
      items: [{ managed_by: 'app', managed_key: 'nightly', action_key: 'greet' }],
    })
    expect(await (await fetch(`${node.url}/fn/default/shop/hello`)).text()).toBe('hello')
  })

  it('deploys the folder that a path names, from elsewhere', () => {
    const plan = svc(['deploy', './shop', '--dry-run'], home)
    expect([plan.status, plan.stderr]).toEqual([0, ''])
    expect(plan.stdout).toContain('No changes to actions')
    expect(svc(['deploy', '.', '--dry-run']).stdout).toBe(plan.stdout)
    expect(svc(['deploy', `${shop}/`, '--dry-run'], '/').stdout).toBe(plan.stdout)
  })

  it('names the path when the name of a folder is given as that of a function', () => {
    const { status, stderr } = svc(['deploy', 'shop'], home)
    expect(status).toBe(1)
    expect(stderr).toContain('shop is the folder of an app. To deploy it: svc deploy ./shop\n')
  })

  it.each([
    [['./none'], 1, 'There is no folder ./none.'],
    [['shop/app.yaml'], 2, 'is a file. svc deploy takes a folder: svc deploy ./shop'],
    [['./shop', './old'], 2, 'svc deploys one folder at a time: svc deploy ./shop'],
    [['shop/functions/hello'], 2, 'is a function. Write its name: svc deploy ./shop hello'],
    [['./shop', 'zzz'], 1, 'This folder has no function zzz. It has hello.'],
    [['./shop/actions'], 1, `There is one nearby: cd ${shop}`],
  ])('svc deploy %j is refused with what to write', (args, code, message) => {
    const { status, stderr } = svc(['deploy', ...args], home)
    expect([status, stderr]).toEqual([code, expect.stringContaining(message)])
  })

  it('finds nothing to do when nothing has changed', async () => {
    expect(svc(['deploy']).stdout).toContain(
      'No changes to actions, flows, webhooks, schedules, events or functions.',
    )
    expect(await api('/deployments?app=shop')).toMatchObject({ items: [{}] })
  })

  it('goes on when a person at a terminal answers yes', async () => {
    write('app.yaml', APP.replace(/ {2}- \{ key: hook.*\n/, '').replace('webhooks:\n', ''))
    const { text, status } = await deployAt('y')
    expect(text).toContain('This removes webhook hook. Go on? [y/N]')
    expect(text).toContain('✓ shop is at')
    expect(status).toBe(0)
    write('app.yaml', APP)
    expect(svc(['deploy', '--yes']).status).toBe(0)
  })

  it('names the functions that are here when it gets another name', () => {
    const { status, stderr } = svc(['deploy', 'zzz'])
    expect(status).toBe(1)
    expect(stderr).toContain('This folder has no function zzz. It has hello.')
    expect(stderr).toContain('`svc deploy` without names deploys the whole folder.')
    expect(svc(['deploy', 'hello']).stderr).toContain('it has an app.yaml')
  })

  it('names what it would remove, and needs --yes for it', async () => {
    write('app.yaml', APP.replace(/ {2}- \{ key: send.*\n/, '').replace(/schedules:\n.*\n/, ''))
    write('actions/greet.ts', 'export const main = () => 2\n')
    const refused = svc(['deploy'])
    expect(refused).toMatchObject({
      status: 1,
      stdout:
        '~ action greet  changed\n- action send  removed\n- schedule nightly  removed\nPlan: 0 to add, 1 to change, 2 to remove.\n',
    })
    expect(refused.stderr).toContain('This removes action send, schedule nightly.')
    expect(refused.stderr).toContain('--yes')
    expect(await api('/schedules?app=shop')).toMatchObject({ items: [{}] })
    const planned = svc(['deploy', '--dry-run', '--json'])
    const changes = {
      added: [],
      changed: [{ kind: 'action', key: 'greet' }],
      removed: [
        { kind: 'action', key: 'send' },
        { kind: 'schedule', key: 'nightly' },
      ],
    }
    expect(JSON.parse(planned.stdout)).toMatchObject({ app: 'shop', dry_run: true, ...changes })
    // at a terminal it asks for confirmation; `script` provides a terminal
    const no = await deployAt('n')
    expect(no.text).toContain('This removes action send, schedule nightly. Go on? [y/N]')
    expect(no.text).toContain('Nothing was deployed.')
    expect(no.status).toBe(1)
    expect(await api('/schedules?app=shop')).toMatchObject({ items: [{}] })
    const made = svc(['deploy', '--yes', '--json'])
    expect(JSON.parse(made.stdout)).toMatchObject({
      app: 'shop',
      deployment_id: expect.any(String),
      ...changes,
    })
    expect(await api('/schedules?app=shop')).toMatchObject({ items: [] })
  })

  it('shows faults with their place, and deploys nothing', () => {
    write('app.yaml', `${APP}colour: red\n`)
    const { status, stdout, stderr } = svc(['deploy'])
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain('app.yaml:11:1 colour: colour is not a field of a manifest.')
    write('app.yaml', APP)
    write('actions/send.ts', "import './gone'\n")
    expect(svc(['deploy'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('actions/send.ts:1'),
    })
  })

  it('sends of node_modules what the code opens', async () => {
    write('node_modules/p/package.json', '{ "main": "index.js" }')
    write('node_modules/p/index.js', 'module.exports = 1\n')
    write('node_modules/p/README.md', 'never opened\n')
    write('actions/send.ts', "import p from 'p'\nexport const main = () => p\n")
    const { status, stderr, stdout } = svc(['deploy', '--yes', '--json'])
    expect([status, stderr]).toEqual([0, ''])
    const { deployment_id } = JSON.parse(stdout)
    const files = JSON.stringify(await api(`/deployments/${deployment_id}/files`))
    expect(files).toContain('node_modules/p/index.js')
    expect(files).not.toContain('README')
  })

  it('fetches packages by the lock file, so that the server needs no registry', async () => {
    const registry = await startPackageRegistry()
    const one = await stubPackage({ name: 'upper', version: '1.2.3' }, [
      { header: { name: 'package/index.js' }, content: 'exports.upper = (text) => text\n' },
      { header: { name: 'package/README.md' }, content: 'never opened\n' },
    ])
    registry.add(one)
    rmSync(join(shop, 'node_modules'), { recursive: true })
    write('package.json', JSON.stringify({ dependencies: { upper: '1.2.3' } }))
    write('package-lock.json', lockFileOf([one]))
    write(
      'actions/send.ts',
      "import { upper } from 'upper'\nexport const main = () => upper('a')\n",
    )
    await expect(deployWith({ SVC_NPM_REGISTRY: 'off' })).rejects.toThrow('upper')
    const packages = { SVC_NPM_REGISTRY: registry.url, SVC_PACKAGE_CACHE_MB: '0' }
    const { deployment_id } = JSON.parse(await deployWith(packages))
    await registry.close()
    const files = JSON.stringify(await api(`/deployments/${deployment_id}/files`))
    expect(files).toContain('node_modules/upper/index.js')
    expect(files).not.toContain('README')
    for (const path of ['package.json', 'package-lock.json']) rmSync(join(shop, path))
    write('actions/send.ts', 'export const main = () => null\n')
  })

  it('sends packages again without reading them while the lines that name them stay', async () => {
    const cache = join(home, 'cache')
    const registry = await startPackageRegistry()
    const stub = (name: string) =>
      stubPackage({ name, version: '1.0.0' }, [
        { header: { name: 'package/index.js' }, content: `exports.${name} = () => '${name}'\n` },
      ])
    const both = [await stub('one'), await stub('two')]
    for (const one of both) registry.add(one)
    write('package.json', JSON.stringify({ dependencies: { one: '1.0.0', two: '1.0.0' } }))
    write('package-lock.json', lockFileOf(both))
    const use = (names: string, value: string): void =>
      write('actions/send.ts', `${names}export const main = () => [one(), ${value}]\n`)
    const one = "import { one } from 'one'\n"
    const filesOf = async (env: Readonly<Record<string, string>>): Promise<string> => {
      const { deployment_id } = JSON.parse(await deployWith({ SVC_CACHE_DIR: cache, ...env }))
      return JSON.stringify(await api(`/deployments/${deployment_id}/files`))
    }
    const remote = { SVC_NPM_REGISTRY: registry.url }
    use(one, '1')
    expect(await filesOf(remote)).toContain('node_modules/one/index.js')
    rmSync(join(cache, 'packages'), { recursive: true })
    use(one, '2')
    const again = await filesOf({ SVC_NPM_REGISTRY: 'off' })
    expect(again).toContain('node_modules/one/index.js')
    expect(again).not.toContain('node_modules/two')
    use(`${one}import { two } from 'two'\n`, 'two()')
    await expect(filesOf({ SVC_NPM_REGISTRY: 'off' })).rejects.toThrow('registry_off')
    expect(await filesOf(remote)).toContain('node_modules/two/index.js')
    await registry.close()
    use(`${one}import { two } from 'two'\n`, 'two(')
    await expect(filesOf({ SVC_NPM_REGISTRY: 'off' })).rejects.toThrow('send.ts')
    for (const path of ['package.json', 'package-lock.json']) rmSync(join(shop, path))
    write('actions/send.ts', 'export const main = () => null\n')
  })

  it('deploys functions alone where they are named', () => {
    write('.svcrc', JSON.stringify({ application: { id: 'shop' } }))
    write('functions/hello/index.ts', "export default () => 'again'\n")
    expect(svc(['deploy', 'hello']).stdout).toContain('shop/hello  changed')
    expect(svc(['deploy', 'hello', '--dry-run'])).toMatchObject({ status: 2 })
  })

  it('takes imports by paths of tsconfig.json and by names of workspaces, in each command', async () => {
    write('tsconfig.json', '{"compilerOptions":{"paths":{"@lib/*":["./lib/*"]}}}')
    write('lib/words.ts', "import { word } from '@acme/words'\nexport const text = word\n")
    write('packages/words/package.json', '{"name":"@acme/words","exports":"./src/word.ts"}')
    write('packages/words/src/word.ts', "export const word = 'mapped'\n")
    write('functions/hello/index.ts', "export { text } from '@lib/words'\nexport default () => 1\n")
    expect(svc(['build'])).toMatchObject({ status: 0 })
    const code = `import { text } from '@lib/words'\n`
    write('functions/hello/index.ts', `${code}export default () => text\n`)
    expect(svc(['deploy', 'hello'])).toMatchObject({ status: 0, stderr: '' })
    expect(await (await fetch(`${node.url}/fn/default/shop/hello`)).text()).toBe('mapped')
    write('actions/greet.ts', `${code}export const main = () => text\n`)
    expect(svc(['dev', 'run', 'greet']).stdout).toContain('mapped')
    expect(svc(['deploy', '--yes'])).toMatchObject({ status: 0, stderr: '' })
    expect(svc(['run', 'shop/greet', '--wait']).stdout).toContain('mapped')
  })

  it('has an index without aliases, which simple readers of YAML do not know', () => {
    write('functions/other/index.ts', "export default () => 'other'\n")
    expect(svc(['build'])).toMatchObject({ status: 0 })
    const index = readFileSync(join(shop, 'functions.yaml'), 'utf8')
    expect(index.match(/methods:\n {6}- GET\n {6}- POST\n/g)).toHaveLength(2)
  })
})
