import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#store/open-database.ts'
import { raw, sql } from '#store/sql.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { type CommandServer, openCommandServer } from '../../test/support/command-server.ts'
import { makeMemoryFolder } from '../../test/support/memory-folder.ts'
import { CHILD_ENV } from '../../test/support/svc-process.ts'

const main = resolve(import.meta.dirname, 'main.ts')
let folder = ''
let commands: CommandServer

beforeAll(() => {
  commands = openCommandServer()
  folder = makeMemoryFolder('svc-command-line-')
})
afterAll(() => {
  commands.close()
  rmSync(folder, { recursive: true, force: true })
})

const envOf = (env: Readonly<Record<string, string>> = {}) => ({
  ...CHILD_ENV,
  SVC_CACHE_DIR: join(folder, 'cache'),
  ...env,
})
const svc = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  commands.run({ args, cwd: folder, env: envOf(env) })
/** Runs svc as a separate process. */
const spawnSvc = (...args: readonly string[]) =>
  spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: 'utf8', env: envOf() })

test('--version prints the version alone', () => {
  const { stdout, status } = spawnSvc('--version')
  expect(stdout).toBe(`${packageJson.version}\n`)
  expect(status).toBe(0)
})

test('--help lists the commands and hides the internal ones', () => {
  const { stdout, status } = svc(['--help'])
  for (const command of ['start', 'server', 'worker', 'scheduler', 'db', 'config', 'doctor']) {
    expect(stdout).toContain(`svc ${command}`)
  }
  expect(stdout).not.toContain('__')
  expect(status).toBe(0)
})

test('without arguments it prints the help', () => {
  const { stdout, status } = svc([])
  expect(stdout).toContain('svc deploy')
  expect(status).toBe(0)
})

test.each(['apps', 'flows', 'git', 'jobs', 'schedules', 'tokens', 'variables', 'webhooks'])(
  'svc %s list is another way to write it without list',
  (group) => {
    const answer = svc([group, 'list'])
    expect([answer.stderr, answer.status]).toEqual([expect.stringMatching(/^Not logged in/), 1])
    expect(answer).toEqual(svc([group]))
    expect(svc([group, '--help']).stdout).not.toMatch(/svc \w+ list\b/)
  },
)

test.each(['abc', '0', '-5', '61'])('svc top --interval %s is wrong usage', (interval) => {
  const { stderr, status } = svc(['top', `--interval=${interval}`])
  expect(stderr).toContain('--interval must be a number of seconds from 0.5 to 60.')
  expect(status).toBe(2)
})

test('with --json an error is JSON too', () => {
  const { stdout, stderr, status } = svc(['jobs', '--json'], { HOME: folder })
  expect(stdout).toBe('')
  expect(JSON.parse(stderr)).toEqual({
    error: expect.stringContaining('Not logged in.'),
    code: 'unauthenticated',
  })
  expect(status).toBe(1)
})

test.each(['nowhere', 'ftp://svc.example.com'])(
  'SVC_URL=%s is refused with an example',
  (SVC_URL) => {
    const { stderr, status } = svc(['status'], { HOME: folder, SVC_URL, SVC_TOKEN: 'x' })
    expect(stderr).toMatch(/^SVC_URL must be the address of a server, such as http:/)
    expect(status).toBe(2)
  },
)

test('sends the saved token to no other server than the one that gave it', () => {
  const HOME = join(folder, 'home')
  mkdirSync(join(HOME, '.svc'), { recursive: true })
  const endpoint = 'https://svc.example.com'
  const saved = JSON.stringify({ endpoint, token: 'svc_saved' })
  writeFileSync(join(HOME, '.svc', 'credentials.json'), saved)
  const { stderr, status } = svc(['jobs'], { HOME, SVC_URL: 'http://127.0.0.1:9' })
  expect(stderr).toContain(`The saved login is for ${endpoint}`)
  expect(status).toBe(1)
  const local = JSON.stringify({ endpoint: 'http://localhost:9', token: 'svc_saved' })
  writeFileSync(join(HOME, '.svc', 'credentials.json'), local)
  const same = svc(['jobs'], { HOME, SVC_URL: 'http://127.0.0.1:9' })
  expect(same.stderr).toContain('http://127.0.0.1:9 does not answer')
  const otherPort = svc(['jobs'], { HOME, SVC_URL: 'http://127.0.0.1:10' })
  expect(otherPort.stderr).toContain('The saved login is for http://localhost:9')
  const dead = svc(['jobs'], { HOME, SVC_URL: 'http://127.0.0.1:9', SVC_TOKEN: 'x' })
  expect(dead.stderr).toContain('http://127.0.0.1:9 does not answer (ECONNREFUSED).')
})

test('a line feed at the end of SVC_URL and SVC_TOKEN does not count', () => {
  const env = { HOME: folder, SVC_URL: 'http://127.0.0.1:9\n', SVC_TOKEN: 'x\r\n' }
  expect(svc(['jobs'], env).stderr).toContain('http://127.0.0.1:9 does not answer (ECONNREFUSED).')
})

test('completes the names and flags of commands, and nothing of a server that is not there', () => {
  const complete = (...words: readonly string[]) =>
    svc(['--get-yargs-completions', 'svc', ...words], { HOME: folder })
  expect(complete('sched').stdout).toContain('schedules')
  expect(complete('run', '')).toMatchObject({ stdout: '', status: 0 })
  expect(complete('jobs', '').stdout).toBe('show\nsteps\ncancel\nreplay\nbatch\noperations\nstop\n')
  expect(complete('db', 'b').stdout).toBe('backup\n')
  expect(complete('jobs', '--sta').stdout).toBe('--status\n')
  expect(complete('jobs', '--status', 'su').stdout).toBe('success\n')
  expect(complete('schedules', 'create', '--cron', '').stdout).toBe('')
  expect(complete('jobs', '--json', 'sh').stdout).toBe('show\n')
  expect(complete('jobs', 'cancel', '--app', 'x', '--j').stdout).toBe('--json\n')
  for (const word of ['nothing', 'run(', '[']) {
    expect(complete(word, '')).toMatchObject({ stdout: '', stderr: '', status: 0 })
  }
  expect(complete('create-token', '').stdout).toBe('')
  expect(complete('completion', '').stdout).toBe('bash\nzsh\nfish\n')
})

test.each([
  { shell: 'bash', line: 'complete -o bashdefault -o default -F _svc_complete svc' },
  { shell: 'zsh', line: 'compdef _svc svc' },
  { shell: 'fish', line: 'complete -c svc' },
])('completion prints the script of $shell, named or in SHELL', ({ shell, line }) => {
  const named = svc(['completion', shell])
  expect(named).toMatchObject({ status: 0, stdout: expect.stringContaining(line) })
  expect(svc(['completion'], { SHELL: `/usr/bin/${shell}` }).stdout).toBe(named.stdout)
})

test('help in front of a command prints what --help behind it prints', () => {
  expect(svc(['help', 'jobs'])).toEqual(svc(['jobs', '--help']))
  expect(svc(['help'])).toEqual(svc([]))
})

test.each([
  { args: ['strat'], sentence: 'Did you mean start?' },
  { args: ['db', 'bakcup', 'x'], sentence: 'Did you mean backup?' },
  { args: ['secrets'], sentence: 'There is no command "svc secrets". Did you mean variables?' },
  {
    args: ['init', '.'],
    sentence: 'Leave out the name to create the app in this folder: svc init',
  },
  { args: ['constructor'], sentence: 'There is no command "svc constructor".\nSee' },
  ...['dev', 'build'].map((command) => ({
    args: [command, './'],
    sentence: `svc ${command} takes no folder. It works in the current one: cd ./\nSee`,
  })),
  { args: ['nonsense'], sentence: 'There is no command "svc nonsense".\nSee `svc --help`.' },
  { args: ['jbos'], sentence: 'Did you mean jobs?' },
  { args: ['workspace', 'nope'], sentence: 'svc workspace has create, list, move,' },
  { args: ['user', 'delete', 'a@b.c'], sentence: 'There is no command "svc user delete".' },
  { args: ['jobs', 'frob'], sentence: 'See `svc jobs --help`.' },
  {
    args: ['workspaces', '--help'],
    sentence: 'There is no command "svc workspaces". Did you mean',
  },
  { args: ['help', 'jobs', 'frob'], sentence: 'There is no command "svc jobs frob".' },
  {
    args: ['jobs', 'list', '--frob'],
    sentence: 'Unknown argument: frob\nSee `svc jobs list --help`.',
  },
  {
    args: ['jobs', '--status', 'nope'],
    sentence: '--status must be one of all, completed, queued',
  },
  { args: ['jobs', '--limit', 'many'], sentence: '--limit must be a whole number from 1 to 500.' },
  { args: ['jobs', '--limit', '0'], sentence: '--limit must be a whole number from 1 to 500.' },
  { args: ['schedules', 'create', 'shop/x'], sentence: 'Missing: --cron' },
  { args: ['variables', 'set', 'A', 'x'], sentence: 'See `svc variables set --help`.' },
  { args: ['completion', 'bogus'], sentence: 'Name one of the supported shells' },
  {
    args: ['tokens', 'create', 'x', '--scopes', ' ,'],
    sentence: '--scopes must name a scope, such as jobs:run.',
  },
  {
    args: ['tokens', 'create', 'x', '--scopes', 'jobs:run', '--days', '0'],
    sentence: '--days must be a whole number from 1 to 3650.',
  },
  ...['soon', '0'].map((days) => ({
    args: ['keys', 'sqld-jwt', '--expires-in-days', days],
    sentence: '--expires-in-days must be a number of days, more than 0.',
  })),
  { args: ['login'], sentence: 'Name the server: svc login https://svc.example.com' },
  { args: ['login', 'ftp://x'], sentence: '"ftp://x" is not the address of a server' },
  { args: ['db'], sentence: 'Which command? svc db has migrate, check, backup,' },
  { args: ['apps', 'history'], sentence: 'Missing: svc apps history <app>' },
  { args: ['db', 'backup'], sentence: 'See `svc db backup --help`.' },
  { args: ['config', '--jsn'], sentence: 'Unknown argument: jsn. Did you mean --json?' },
  ...['config', 'start'].map((command) => ({
    args: [command, '--data', 'x'],
    sentence: 'Unknown argument: data. Did you mean --data-dir?',
  })),
  { args: ['config', '--data-dir'], sentence: '--data-dir needs a value.' },
  { args: ['jobs', '--limit'], sentence: '--limit needs a value.' },
  { args: ['jobs', '--status', '--json'], sentence: '--status needs a value.' },
  { args: ['flows', 'runs', '--status'], sentence: '--status needs a value.' },
  { args: ['config', '--json=yes'], sentence: '--json takes no value, but was given "yes".' },
  {
    args: ['deploy', '--dry-run=1', '--yes'],
    sentence: '--dry-run takes no value, but was given "1".',
  },
  { args: ['logs', ''], sentence: 'An argument is empty. Is a variable of your shell not set?' },
  { args: ['schedules', 'delete', ''], sentence: 'An argument is empty.' },
  {
    args: ['jobs', 'cancel', '--filter', 'app=shop,app=hello'],
    sentence: '--filter names app twice.',
  },
  {
    args: ['user', 'create', 'ada@example.com', '--role', 'admin'],
    sentence: '--role needs --workspace, the workspace to add the user to.',
  },
  ...['sk_live_marker', 'BEGIN KEY\nA, B='].map((value) => ({
    args: ['variables', 'set', 'KEY', value],
    sentence: 'Too many arguments. Usage: svc variables set <key>\nSee `svc variables set --help`.',
  })),
  {
    args: ['create-token', 'default'],
    sentence: 'Missing: svc create-token <ws> <email>',
  },
  {
    args: ['create-token', 'default', 'a@b', '--expires-in-days', '0'],
    sentence: '--expires-in-days must be a whole number from 1 to 3650.',
  },
  { args: ['create-token', 'default', 'ada'], sentence: '"ada" is not an e-mail address.' },
  { args: ['workspace', 'create', 'Sales'], sentence: 'A workspace id has 1 to 63 characters' },
  { args: ['config', '--port', 'many'], sentence: 'SVC_PORT (--port) must be a whole number' },
  {
    args: ['logs', '-f', '--tail-bytes', 'x', 'id'],
    sentence: '--tail-bytes must be a whole number, 0 or more.',
  },
])('$args is wrong usage: exit code 2 and a sentence', ({ args, sentence }) => {
  const { stderr, stdout, status } = svc(args)
  expect(stderr).toContain(sentence)
  expect(stdout).toBe('')
  expect(status).toBe(2)
  expect(existsSync(join(folder, 'svc-data'))).toBe(false)
})

const helpOf = (lists: readonly (readonly string[])[]): readonly string[] =>
  lists.map((words) => svc([...words, '--help']).stdout)

test('every command explains itself with an example', () => {
  const [stdout = ''] = helpOf([[]])
  const names = [...stdout.matchAll(/^ {2}svc ([a-z-]+)( <command>)?/gm)].map(
    ([, name = '', group]) => ({ name, isGroup: group !== undefined }),
  )
  expect(names.length).toBeGreaterThan(8)
  const helps = helpOf(names.map(({ name }) => [name]))
  const whole = names.flatMap(({ name, isGroup }, at) => {
    const inner = [...(helps[at] ?? '').matchAll(/^ {2}svc [a-z-]+ ([a-z-]+)/gm)]
    expect(isGroup ? inner.length : 1, name).toBeGreaterThan(0)
    return isGroup ? inner.map(([, word = '']) => [name, word]) : [[name]]
  })
  const texts = helpOf(whole)
  expect(texts).toHaveLength(whole.length)
  for (const text of texts) expect(text).toContain('Examples:')
})

test.each([
  {
    args: ['config', '--jsn'],
    stderr: /^Unknown argument: jsn. Did you mean --json\?\n/,
    status: 2,
  },
  { args: ['health', '--port', '9'], stderr: /^$/, status: 1 },
])('$args ends its process with exit code $status', ({ args, stderr, status }) => {
  const ended = spawnSvc(...args)
  expect(ended.stderr).toMatch(stderr)
  expect(ended.status).toBe(status)
})

test('a template writes into no folder that is there, and the refusal is a failure', () => {
  const own = join(folder, 'functions/hello/function.yaml')
  mkdirSync(dirname(own), { recursive: true })
  writeFileSync(own, 'description: Mine\n')
  const { stderr, status } = svc(['templates', 'hello'])
  expect(stderr).toBe('functions/hello is there already. Rename it, or choose another template.\n')
  expect(status).toBe(1)
  expect(readFileSync(own, 'utf8')).toBe('description: Mine\n')
  expect(svc(['templates', 'echo']).status).toBe(0)
  expect(svc(['templates', 'echo']).status).toBe(1)
})

test('config prints effective values, masks secrets and warns about unknown names', () => {
  const { stdout, stderr, status } = svc(['config', '--json', '--port', '4711'], {
    SVC_METRICS_TOKEN: 'marker',
    SVC_PRT: '1',
  })
  expect(JSON.parse(stdout)).toMatchObject({ SVC_PORT: '4711', SVC_METRICS_TOKEN: '********' })
  expect(stderr).toContain('Did you mean SVC_PORT?')
  expect(stdout + stderr).not.toContain('marker')
  expect(status).toBe(0)
})

test('doctor finds nothing broken in an empty folder, and makes no data there', () => {
  const { stdout, status } = svc(['doctor', '--json', '--data-dir', join(folder, 'data')])
  const { ok, checks } = JSON.parse(stdout)
  expect(checks.filter((check: { ok: boolean }) => !check.ok)).toEqual([])
  expect(ok).toBe(true)
  expect(status).toBe(0)
})

test('doctor exits 1 for a database that does not answer, and prints the remedy', () => {
  const { stdout, status } = svc(['doctor', '--database-url', 'http://127.0.0.1:1'])
  expect(stdout).toContain('✗ database')
  expect(stdout).toContain('Remedy: Start the database')
  expect(status).toBe(1)
}, 60_000)

test('doctor finds a key that others may read and a database that was made with another key', () => {
  const dataDir = join(folder, 'keys')
  const made = svc(['workspace', 'create', 'one', '--data-dir', dataDir])
  expect(made.stderr).toBe('')
  expect(svc(['doctor', '--data-dir', dataDir]).status).toBe(0)
  const other = svc(['doctor', '--data-dir', dataDir], {
    SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  expect(other.stdout).toContain('is not the key that this database was made with')
  rmSync(join(dataDir, 'secret.key'))
  expect(svc(['doctor', '--data-dir', dataDir]).stdout).toContain('secret.key is missing')
})

test('doctor finds damaged pages and missing tables, and recommends a backup', async () => {
  const dataDir = join(folder, 'damaged')
  expect(svc(['workspace', 'create', 'one', '--data-dir', dataDir]).stderr).toBe('')
  const path = join(dataDir, 'svc.db')
  const doctor = () => svc(['doctor', '--data-dir', dataDir])
  expect(doctor().stdout).toMatch(/✓ durability .*durable/)
  const rename = async (from: string, to: string): Promise<void> => {
    const db = await openDatabase({ url: `file:${path}` })
    await db.write([sql`ALTER TABLE ${raw(from)} RENAME TO ${raw(to)}`])
    await db.close()
  }
  await rename('job_logs', 'gone')
  expect(doctor()).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/✗ damage .*the table job_logs is missing\n.*svc db restore/),
  })
  await rename('gone', 'job_logs')
  expect(doctor().status).toBe(0)
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(4_096, 0xff), 0, 4_096, 4_096 * 20)
  closeSync(file)
  expect(doctor()).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/✗ damage .*the database is damaged: .*\n.*svc db restore/),
  })
}, 60_000)
