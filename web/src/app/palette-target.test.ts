import { expect, test } from 'vitest'
import { readCommand, readRecent, type Target, withRecent } from './palette-target.ts'

const APP: Target = { kind: 'app', app: 'hello' }
const RUN: Target = { kind: 'run', app: 'hello', key: 'greet' }

test('what was opened is kept newest first, each once, and few of it', () => {
  const kept = withRecent(readRecent(withRecent(readRecent(withRecent([], APP)), RUN)), APP)
  expect(readRecent(kept)).toEqual([APP, RUN])
  const many = Array.from({ length: 20 }, (_, n): Target => ({ kind: 'app', app: `a${n}` }))
  expect(readRecent(many.reduce((text, each) => withRecent(readRecent(text), each), '[]'))).toEqual(
    many.slice(-6).reverse(),
  )
})

test.each([
  null,
  'no JSON',
  '{}',
  '[1, null, {"kind": "run"}, {"kind": "page", "to": "//elsewhere"}]',
])('kept text %s holds nothing to open', (kept) => {
  expect(readRecent(kept)).toEqual([])
})

test.each([
  ['run hello/greet', { isRun: true, text: 'hello/greet' }],
  ['실행 greet', { isRun: true, text: 'greet' }],
  ['runner', { isRun: false, text: 'runner' }],
  [' hello ', { isRun: false, text: 'hello' }],
])('%s is read as %j', (typed, command) => {
  expect(readCommand(typed)).toEqual(command)
})
