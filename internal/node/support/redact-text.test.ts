import { expect, test } from 'vitest'
import { createRedactor } from './redact-text.ts'

const redact = createRedactor(['pa"ss w/rd', 'pa"ss w/rd-long'])

test.each([
  'said pa"ss w/rd to him',
  JSON.stringify({ error: 'said pa"ss w/rd-long' }),
  'smtp://svc:pa%22ss%20w%2Frd@mail',
])('a secret of this machine is masked in each form: %s', (text) => {
  const shown = redact(text)
  expect(shown).not.toMatch(/pa\W|ss w|w%2Frd|-long/)
  expect(shown).toContain('********')
})

test.each([
  ['password=marker', 'password=********'],
  ['PGPASSWORD: marker;', 'PGPASSWORD: ********;'],
  ['{"apiToken":"marker","n":1}', '{"apiToken":"********","n":1}'],
  ['http://db/?authToken=marker&x=1', 'http://db/?authToken=********&x=1'],
  ['postgres://ada:marker@db/x', 'postgres://********@db/x'],
  ['Authorization: Bearer marker-abc-12345', 'Authorization: ******** ********'],
  [`svc_abcdefgh_${'x'.repeat(38)}`, '********'],
  ['Sign in as ada.l@example.com', 'Sign in as ********@example.com'],
])('%s is shown as %s', (text, shown) => {
  expect(redact(text)).toBe(shown)
})

test('what is not a secret stays', () => {
  const text = '12 tokens. {"level":"INFO","message":"A job ended.","properties":{"job_id":"j1"}}'
  expect(redact(text)).toBe(text)
})
