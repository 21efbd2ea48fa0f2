import { afterEach, expect, test } from 'vitest'
import { configureLog, createLineWriter, createLogger, type LogOptions } from './logtape.ts'

const capture = (options: Partial<LogOptions> = {}) => {
  const lines: string[] = []
  configureLog({ level: 'info', format: 'json', write: (line) => lines.push(line), ...options })
  return lines
}

afterEach(() => configureLog({ level: 'error', format: 'json', write: () => undefined }))

test('an event is one JSON line with time, level, category, message and fields', () => {
  const lines = capture()
  createLogger('worker').info('A job ended.', { job_id: 'j1', duration_ms: 12 })
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'INFO',
    logger: 'svc.worker',
    message: 'A job ended.',
    properties: { job_id: 'j1', duration_ms: 12 },
  })
})

test('a line feed in a field cannot forge a second line', () => {
  for (const format of ['json', 'text'] as const) {
    const lines = capture({ format })
    createLogger('http').warn('A request failed.', { path: '/x\n{"level":"INFO"}' })
    expect(lines.join('').trimEnd()).not.toContain('\n')
  }
})

test('a text of a caller neither forges an entry nor commands the terminal', () => {
  const lines = capture({ format: 'text' })
  const forged = 'x\n2026-11-27 06:00:00 ERR svc.http: forged\u001b[2J\u009b2J'
  const error = new Error(forged)
  createLogger('git').warn(`Said ${forged}`, { said: forged, error })
  const text = lines.join('')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  expect(text.split('\n').filter((line) => /^\S/.test(line))).toHaveLength(1)
  expect(text).toMatch(/\n +at /)
})

test('braces in a message stay unchanged', () => {
  const lines = capture()
  createLogger('http').info('Refused {"a": {b}}.', { b: 'filled in' })
  expect(JSON.parse(lines[0] ?? '').message).toBe('Refused {"a": {b}}.')
})

test('fields named like secrets are masked at any depth, and tokens in any text', () => {
  const lines = capture()
  const token = `svc_abcdefgh_${'x'.repeat(38)}`
  createLogger('http').info('A login came.', {
    password: 'p1-marker',
    token_prefix: 'abcdefgh',
    request: { headers: { authorization: 'p2-marker', cookie: 'p3-marker' } },
    apiToken: 'p4-marker',
    url: `/x?t=${token}`,
    error: new Error(`bad ${token}`),
  })
  const line = lines.join('')
  expect(line).not.toContain('marker')
  expect(line).not.toContain(token)
  expect(line).toContain('abcdefgh')
})

test('passwords in URLs and bearer tokens are masked in any text', () => {
  const lines = capture()
  createLogger('git').warn('A clone failed.', {
    url: 'https://ada:p1-marker@example.com/app.git',
    error: new Error('fatal: ssh://p2-marker@host/x said: Authorization: Bearer p3-marker-abc'),
    mail: 'ada@example.com',
  })
  const line = lines.join('')
  expect(line).not.toContain('marker')
  expect(line).toContain('@example.com/app.git')
  expect(line).toContain('ada@example.com')
})

test.each(['svc_', 'svck_', 'svcv_', 'svcl_', 'svcs_', 'svci_', 'svcd_'])(
  'a text of the kind %s is masked wherever it occurs',
  (kind) => {
    const lines = capture()
    createLogger('http').info('Came.', { at: `/x/${kind}abcdefgh_${'s'.repeat(38)}/logs` })
    expect(lines.join('')).not.toContain('sss')
  },
)

test('an API key is masked in any text', () => {
  const lines = capture()
  const text = `ak_0123456789abcdef.${'s'.repeat(40)}`
  createLogger('http').info('Came.', { said: `X-API-Key: ${text}` })
  expect(lines.join('')).not.toContain('sss')
})

test('an error keeps its message, cause and stack', () => {
  const lines = capture()
  createLogger('store').error('A write failed.', {
    error: new TypeError('no disk', { cause: new Error('ENOSPC') }),
  })
  const { properties } = JSON.parse(lines[0] ?? '')
  expect(properties).toMatchObject({ error: 'TypeError: no disk', cause: 'Error: ENOSPC' })
  expect(properties.stack).toContain('logtape.test.ts')
})

test('events below the level are dropped', () => {
  const lines = capture({ level: 'warning' })
  const log = createLogger('worker')
  log.debug('Looked.')
  log.info('Ran.')
  log.warn('Failed.')
  expect(lines).toHaveLength(1)
})

test('on a terminal the same event is plain text', () => {
  const lines = capture({ format: 'auto', isTerminal: true })
  createLogger('worker').info('A job ended.', { job_id: 'j1', note: 'two words' })
  expect(lines[0]).toMatch(
    /^[\d:.]+ .*INF.* svc\.worker: A job ended\. job_id=j1 note="two words"\n$/,
  )
})

test('while the log is not read, lines are dropped at 4 MiB and counted later', () => {
  const written: string[] = []
  const target = { writableLength: 4_194_304, write: (line: string) => written.push(line) }
  const write = createLineWriter(target, (lines) => `dropped ${lines}`)
  write('kept')
  target.writableLength += 1
  write('lost')
  write('lost')
  expect(written).toEqual(['kept'])
  target.writableLength = 0
  write('read')
  write('again')
  expect(written).toEqual(['kept', 'dropped 2', 'read', 'again'])
})
