import { expect, test } from 'vitest'
import { editDistance } from '#core/edit-distance.ts'
import { AppError } from '#core/error.ts'
import { databaseUrlOf, loadConfig, SETTINGS } from './config.ts'
import { describeConfig, documentSettings, flagOptions } from './describe-config.ts'
import { shownAddress } from './shown-address.ts'

const load = (env: Record<string, string> = {}, flags: Record<string, unknown> = {}) =>
  loadConfig({ env, flags })

const problemsOf = (env: Record<string, string>, flags: Record<string, unknown> = {}) => {
  try {
    load(env, flags)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('The settings were accepted.')
}

test('without settings the documented defaults apply', () => {
  const { config, warnings } = load()
  expect(warnings).toEqual([])
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    dataDir: './svc-data',
    tags: ['default'],
    shutdownGraceS: 30,
    jobLeaseS: 10,
    jobMaxCrashes: 3,
    jobMemoryMb: 512,
    maxBodyBytes: 1_048_576,
    maxResultBytes: 4_194_304,
    maxLogBytes: 10_485_760,
    jobRetentionDays: 30,
    queueMax: 100_000,
    workspaceMaxRunning: 0,
    rateRunPerS: 1000,
    rateOtherPerS: 50,
    appsDomain: 'localhost',
  })
  expect(databaseUrlOf(config)).toBe('file:./svc-data/svc.db')
})

test('a flag wins over the environment, the environment over the default', () => {
  expect(load({ SVC_PORT: '4000' }).config.port).toBe(4000)
  expect(load({ SVC_PORT: '4000' }, { port: '5000' }).config.port).toBe(5000)
  expect(load({ SVC_PORT: '4000' }, { port: 0 }).config.port).toBe(0)
})

test('an empty variable counts as unset', () => {
  expect(load({ SVC_PORT: '', SVC_SECRET_KEY: '' }).config.port).toBe(3000)
})

test('spaces and line ends around a variable are left out, except of a secret', () => {
  const { config } = load({ SVC_DATA_DIR: '/data \r', SVC_PORT: ' 80', SVC_METRICS_TOKEN: ' x ' })
  expect(config).toMatchObject({ dataDir: '/data', port: 80, metricsToken: ' x ' })
})

test.each(['"/data"', "'/data'"])(
  'the value %s, with the quotes of a shell, is refused',
  (value) => {
    expect(problemsOf({ SVC_DATA_DIR: value, SVC_PORT: '"80"' }).message).toBe(
      `Bad settings:
  SVC_PORT (--port) is in quotes; write it without them. It is "\\"80\\"".
  SVC_DATA_DIR (--data-dir) is in quotes; write it without them. It is ${JSON.stringify(value)}.`,
    )
    expect(load({ SVC_METRICS_TOKEN: value }).config.metricsToken).toBe(value)
  },
)

test('the retention is read under both of its names', () => {
  expect(load({ JOB_RETENTION_DAYS: '7' }).config.jobRetentionDays).toBe(7)
  expect(load({ SVC_JOB_RETENTION_DAYS: '8' }).config.jobRetentionDays).toBe(8)
  expect(
    load({ SVC_JOB_RETENTION_DAYS: '8', JOB_RETENTION_DAYS: '0' }).config.jobRetentionDays,
  ).toBe(0)
})

test('lists are split at commas', () => {
  const { config } = load({ SVC_GIT_LOCAL_ROOTS: '/a, /b,' }, { tags: 'gpu,default' })
  expect(config.gitLocalRoots).toEqual(['/a', '/b'])
  expect(config.tags).toEqual(['gpu', 'default'])
})

test('name servers are addresses with an optional port', () => {
  const servers = ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:53']
  expect(load({ SVC_DNS_SERVERS: servers.join(',') }).config.dnsServers).toEqual(servers)
  for (const text of [
    'dns.example.com',
    '192.0.2.53,foo',
    '1.2.3',
    '[192.0.2.53',
    '192.0.2.53:x',
  ]) {
    const { details } = problemsOf({ SVC_DNS_SERVERS: text })
    expect(details?.map(({ path }) => path)).toEqual(['SVC_DNS_SERVERS'])
  }
})

test('all invalid settings are reported at once, by name and flag', () => {
  const error = problemsOf({ SVC_PORT: 'many', SVC_SECRET_KEY: 'c2hvcnQ=', SVC_TAGS: ',' })
  expect(error.kind).toBe('invalid')
  expect(error.details?.map(({ path }) => path)).toEqual([
    'SVC_PORT (--port)',
    'SVC_SECRET_KEY',
    'SVC_TAGS (--tags)',
  ])
  expect(error.message).toContain('SVC_PORT (--port) must be a whole number from 0 to 65535.')
  expect(error.message).toContain('openssl rand -base64 32')
})

test.each([
  [{ SVC_DATABASE_URL: 'postgres://x' }, 'must begin with file:'],
  [{ SVC_DATABASE_URL: 'http://a b:1' }, 'must be an address such as http://db:8080'],
  [{ SVC_DATABASE_URL: 'https://' }, 'must be an address such as http://db:8080'],
  [{ SVC_SANDBOX: 'docker' }, 'must be one of auto, bubblewrap, deno, node, command'],
  [{ SVC_BASE_URL: 'javascript:alert(1)' }, 'must be an http(s) address'],
  [{ SVC_BASE_URL: 'https://svc.example.com/?x=1' }, 'must have no user, no ? and no #'],
  [{ SVC_NODE_URL: 'http://ada:pw@10.0.0.1:3000' }, 'must have no user, no ? and no #'],
  [{ SVC_PORT: '70000' }, 'must be at most 65535'],
  [{ SVC_CONCURRENCY: '1.5' }, 'must be a whole number'],
  [{ SVC_JOB_LEASE_S: 'soon' }, 'must be a number of seconds'],
  [{ SVC_TAGS: 'default gpu' }, 'separated by commas'],
  [{ SVC_WORKSPACES: 'acme sales' }, 'separated by commas'],
  [{ SVC_TRUSTED_PROXIES: '10.0.0.0/33' }, 'addresses or subnets'],
  [{ SVC_TRUSTED_PROXIES: 'proxy.internal' }, 'addresses or subnets'],
  [{ SVC_APPS_DOMAIN: 'a b' }, 'must be a host name'],
  [{ SVC_FETCH_ALLOW: 'http://files.internal/' }, 'must be hosts, such as files.internal'],
  [{ SVC_FETCH_ALLOW: 'files.internal, 10.0.0.0/8' }, 'must be hosts, such as files.internal'],
  [{ SVC_FETCH_ALLOW: '*.internal' }, 'must be hosts, such as files.internal'],
  [{ SVC_FETCH_ALLOW: 'files.internal:99999' }, 'must be hosts, such as files.internal'],
  [{ SVC_OIDC_ALLOWED_DOMAINS: 'example.org,@example.com' }, 'must be domains, such as'],
  [
    { SVC_OIDC_ISSUER: 'https://id.example/.well-known/openid-configuration' },
    'the address before /.well-known/openid-configuration',
  ],
])('%o is refused with a remedy', (env, sentence) => {
  expect(problemsOf(env).message).toContain(sentence)
})

/** Values that a person may set by mistake. */
const MISTAKES = ['', ' ', 'many', '-1', '1e300', '99999999999999999999', '/nonexistent/x', '[]']

test.each(SETTINGS.map(({ meta }) => meta))('$env has one message per wrong value', (meta) => {
  for (const value of MISTAKES) {
    let lines: readonly string[] = []
    try {
      load({ [meta.env]: value })
    } catch (error) {
      lines = String(error).split('\n').slice(1)
    }
    const most = value.trim() === '' ? 0 : 1
    expect([value, lines.length <= most]).toEqual([value, true])
    for (const line of lines) {
      expect(line).toMatch(
        new RegExp(`^  ${meta.env}(?: \\(--[\\w-]+\\))? .*(?:must|needs|names|is) .*\\.$`),
      )
      expect(line).not.toContain('..')
      if (!line.includes(' needs ')) expect(line.includes(value)).toBe(meta.secret !== true)
    }
  }
})

test('a message shows no secret of a wrong value', () => {
  const { message } = problemsOf({
    SVC_DATABASE_URL: 'postgres://ada:mar/ker@db?authToken=marker',
    SVC_CELLS: 'eu=postgres://ada:mar@ker@db;us=ftp://a:marker@b',
    SVC_SECRET_KEY: 'marker',
  })
  expect(message).not.toMatch(/marker|ada|mar|ker/)
  expect(message).toContain('It is "postgres://********@db')
})

test('an unknown name gives a warning with a suggestion', () => {
  expect(load({ SVC_PROT: '1', SVC_SOMETHING_ELSE: '1', OTHER: '1' }).warnings).toEqual([
    'SVC_PROT is not a setting of svc and was ignored. Did you mean SVC_PORT?',
    'SVC_SOMETHING_ELSE is not a setting of svc and was ignored. `svc config` lists them.',
  ])
})

test("the client's names do not warn", () => {
  expect(
    load({ SVC_TOKEN: 'x', SVC_URL: 'x', SVC_API_KEY: 'x', SVC_CACHE_DIR: 'x' }).warnings,
  ).toEqual([])
})

test('a mail server without a sender gives a warning', () => {
  const server = { SVC_SMTP_URL: 'smtp://mail.example.com' }
  expect(load(server).warnings).toEqual([
    'SVC_SMTP_URL needs SVC_SMTP_FROM too: no e-mail is sent without a sender.',
  ])
  expect(load({ ...server, SVC_SMTP_FROM: 'svc@example.com' }).warnings).toEqual([])
})

test('a description masks secrets and explains unset values', () => {
  const secret = Buffer.alloc(32, 7).toString('base64')
  const described = describeConfig(load({ SVC_SECRET_KEY: secret, SVC_TAGS: 'a,b' }).config)
  const shownFor = (env: string) => described.find((setting) => setting.env === env)?.value
  expect(JSON.stringify(described)).not.toContain(secret)
  expect(shownFor('SVC_SECRET_KEY')).toBe('********')
  expect(shownFor('SVC_METRICS_TOKEN')).toBe('(loopback only)')
  expect(shownFor('SVC_TAGS')).toBe('a,b')
  expect(shownFor('SVC_GIT_LOCAL_ROOTS')).toBe('(none)')
})

test('names and flags are unique, and every setting has a description', () => {
  const names = SETTINGS.map(({ meta }) => meta.env)
  const flags = SETTINGS.flatMap(({ meta }) => meta.flag ?? [])
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(flags).size).toBe(flags.length)
  for (const { meta } of SETTINGS) expect(meta.sentence).toMatch(/\.$/)
})

test('the documented defaults do not depend on the machine', () => {
  const documented = documentSettings()
  expect(documented.find(({ env }) => env === 'SVC_CONCURRENCY')?.defaultText).toBe('cores')
  expect(documented.find(({ env }) => env === 'SVC_WORKER_NAME')?.defaultText).toBe('host name')
})

test('the documented bounds are those that the schema checks', () => {
  const rangeOf = (name: string) => documentSettings().find(({ env }) => env === name)?.range
  expect(rangeOf('SVC_JOB_LEASE_S')).toEqual({ least: 0.5, most: 3_600 })
  expect(rangeOf('SVC_HEALTH_PORT')).toEqual({ least: 0, most: 65_535 })
  expect(rangeOf('SVC_HOST')).toBeNull()
})

test('flags can be selected by setting', () => {
  expect(Object.keys(flagOptions('dataDir', 'databaseUrl'))).toEqual(['data-dir', 'database-url'])
})

test('the edit distance counts single letters', () => {
  expect(editDistance('', 'abc')).toBe(3)
  expect(editDistance('kitten', 'sitting')).toBe(3)
  expect(editDistance('same', 'same')).toBe(0)
})

test('an e-mail address is normalized, and the default can be changed', () => {
  expect(load({ SVC_ADMIN_EMAIL: ' Ada@Example.COM ' }).config.adminEmail).toBe('ada@example.com')
  expect(load({ SVC_ADMIN_EMAIL: 'admin@localhost' }).config.adminEmail).toBe('admin@localhost')
  expect(problemsOf({ SVC_ADMIN_EMAIL: 'ada' }).message).toContain('must be an e-mail address')
})

test('a shown URL has no user, password or token', () => {
  expect(shownAddress('https://ada:marker@db.example.com:8080/x')).toBe(
    'https://********@db.example.com:8080/x',
  )
  expect(shownAddress('libsql://db.example.com?tls=1&authToken=marker&x=y')).toBe(
    'libsql://db.example.com?tls=1&authToken=********&x=y',
  )
  expect(shownAddress('file:./svc-data/svc.db')).toBe('file:./svc-data/svc.db')
  const { config } = load({ SVC_DATABASE_URL: 'http://ada:marker@db:8080' })
  expect(JSON.stringify(describeConfig(config))).not.toContain('marker')
})

test('a default database is shown as its file', () => {
  const shown = describeConfig(load({ SVC_DATA_DIR: '/srv/svc' }).config)
  expect(shown.find(({ env }) => env === 'SVC_DATABASE_URL')?.value).toBe('file:/srv/svc/svc.db')
})

test('is refused where passwords are off and there is no provider, because no person could sign in', () => {
  const off = { SVC_PASSWORD_LOGIN: 'off' }
  const provider = { SVC_OIDC_ISSUER: 'https://id.example.com', SVC_OIDC_CLIENT_ID: 'svc' }
  expect(() => load(off)).toThrow('SVC_PASSWORD_LOGIN is off')
  expect(load({ ...off, ...provider }).config.passwordLogin).toBe('off')
})

test.each([
  [{ SVC_OIDC_ISSUER: 'https://id.example.com' }, 'SVC_OIDC_ISSUER needs SVC_OIDC_CLIENT_ID'],
  [{ SVC_OIDC_CLIENT_ID: 'svc' }, 'SVC_OIDC_CLIENT_ID needs SVC_OIDC_ISSUER'],
])('refuses %j: half of a provider would be ignored', (half, sentence) => {
  expect(() => load(half)).toThrow(sentence)
})
