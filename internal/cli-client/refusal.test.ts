import { expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'
import { unreachable } from './unreachable.ts'

const messageOf = (status: number, answer: unknown): string =>
  refusalOf({ status, text: JSON.stringify(answer) }).message

test.each([
  { error: 'Job not found.', list: '`svc jobs` lists the jobs.' },
  { error: 'Flow run not found.', list: '`svc flows runs` lists the flow runs.' },
  { error: 'Schedule not found.', list: '`svc schedules` lists the schedules.' },
  { error: 'Variable "STRIPE" not found.', list: '`svc variables` lists the variables.' },
  { error: 'Git source not found.', list: '`svc git` lists the git sources.' },
])('$error names the command that lists the others', ({ error, list }) => {
  expect(messageOf(404, { error, code: 'not_found' })).toBe(`${error} ${list}`)
})

test('an unknown action names the command that lists those of its app', () => {
  const error = 'Action "gret" of app "shop" not found.'
  const said = messageOf(404, { error, code: 'action_not_found' })
  expect(said).toBe(
    `${error} \`svc apps actions shop\` lists its actions, and \`svc flows\` the flows.`,
  )
})

test('a missing scope names where another token comes from', () => {
  const error = 'This needs the scope jobs:run, which the token does not hold.'
  expect(messageOf(403, { error, code: 'missing_scope' })).toContain('`svc login`')
})

test('a value of the wrong shape is named without the words of HTTP', () => {
  const answer = {
    error: 'The body of the request is not valid.',
    code: 'invalid',
    details: [{ path: 'body.expires_in_days', message: 'must be at least 1' }],
  }
  expect(messageOf(400, answer)).toBe(
    'The server did not accept a value:\n  expires_in_days: must be at least 1',
  )
})

test('what the sentence and a detail have in common is printed once', () => {
  const error = 'The timezone "Mars/X" is not a known time zone.'
  const details = [{ path: 'timezone', message: '"Mars/X" is not a known time zone' }]
  expect(messageOf(400, { error, code: 'bad_schedule', details })).toBe(error)
})

test('an answer of another server is named and not printed', () => {
  const { message } = refusalOf({ status: 404, text: '<!doctype html><h1>Not here</h1>' })
  expect(message).toBe(
    'What answers there is not svc: HTTP 404. Check SVC_URL, or `svc login` again.',
  )
})

test.each([
  [502, 'A proxy answers HTTP 502, because it does not reach svc.'],
  [504, 'A proxy answers HTTP 504, because it does not reach svc.'],
  [413, 'A proxy in front of svc refuses a request of this size: HTTP 413.'],
])('an answer of a proxy with HTTP %d is named as one', (status, sentence) => {
  const { message } = refusalOf({ status, text: `<html><h1>${status}</h1></html>` })
  expect(message).toContain(sentence)
  expect(message).not.toContain('<')
})

test('a route that is not there points to SVC_URL and the versions', () => {
  const error = 'There is nothing here. GET /api/docs lists the routes.'
  const said = messageOf(404, { error, code: 'not_found' })
  for (const part of ['Check SVC_URL', '`svc status`', '`svc --version`', '`svc upgrade`'])
    expect(said).toContain(part)
})

test.each([
  ['https://10.0.0.1:3000', 'EPROTO', 'Use http://10.0.0.1:3000 if'],
  ['https://10.0.0.1:3000', 'ECONNREFUSED', 'does not answer (ECONNREFUSED)'],
  ['http://10.0.0.1:3000', 'EPROTO', 'does not answer (EPROTO)'],
])('%s that fails by %s gets a remedy', (endpoint, code, remedy) => {
  const cause = Object.assign(new Error('no'), { code })
  expect(unreachable(endpoint, cause).message).toContain(remedy)
})
