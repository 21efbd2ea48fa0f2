import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { programOf, type StartFacts, toBanner, toStartEvent } from './banner.ts'

const facts = (
  flags: Readonly<Record<string, string>>,
  change: Partial<StartFacts> = {},
): StartFacts => ({
  config: loadConfig({ env: {}, flags: { concurrency: '2', ...flags } }).config,
  role: 'start',
  node: { url: 'http://127.0.0.1:3000', firstAdmin: null, workspace: 'acme', isolation: 'runtime' },
  program: 'dist/svc',
  ...change,
})

test('the banner shows address, database, isolation and how to get a token', () => {
  expect(toBanner(facts({})).split('\n').slice(1)).toEqual([
    '  Address    http://127.0.0.1:3000',
    '  Console    http://127.0.0.1:3000/ui/',
    '  API        http://127.0.0.1:3000/api/docs',
    '  Database   file:./svc-data/svc.db',
    '  Isolation  level runtime, 2 jobs at once, tags default',
    '  Token      dist/svc create-token acme <email>',
    '',
  ])
})

test('the command for a token works where it is pasted, and names no secret', () => {
  const flags = { 'data-dir': "/srv/Ada's data", 'database-url': 'http://ada:marker@db:8080' }
  const banner = toBanner(facts(flags))
  expect(banner).toContain(`--data-dir '/srv/Ada'\\''s data'`)
  expect(banner + JSON.stringify(toStartEvent(facts(flags)))).not.toContain('marker')
})

test('the command for a token names no workspace that may not exist', () => {
  const several = facts({}, { node: { ...facts({}).node, workspace: null } })
  expect(toBanner(several)).toContain('create-token <workspace> <email>')
})

test('a password that was made is shown to a person, and never given to the log', () => {
  const firstAdmin = { email: 'admin@localhost', generatedPassword: 'marker' }
  const first = facts(
    {},
    { node: { url: null, firstAdmin, workspace: 'default', isolation: null } },
  )
  expect(toBanner(first)).toContain('admin@localhost with password marker')
  expect(JSON.stringify(toStartEvent(first))).not.toContain('marker')
})

test('a worker without a port shows neither address nor sign-in', () => {
  const worker = facts({}, { role: 'worker', node: { ...facts({}).node, url: null } })
  expect(toBanner(worker)).not.toMatch(/Address|Console|API|Token|Sign in/)
  expect(toStartEvent(worker)).not.toHaveProperty('url')
})

test.each([
  { script: resolve('dist/svc'), program: 'dist/svc' },
  { script: resolve('svc'), program: './svc' },
  { script: '/usr/local/bin/svc', program: 'svc' },
  { script: 'svc', program: 'svc' },
  { script: '/opt/bin/svc', program: '/opt/bin/svc' },
  { script: '/opt/my tools/svc', program: "'/opt/my tools/svc'" },
  { script: '/src/cmd/svc/main.ts', program: 'npm run --silent svc --' },
])('$script is called as $program', ({ script, program }) => {
  expect(programOf(script)).toBe(program)
})
