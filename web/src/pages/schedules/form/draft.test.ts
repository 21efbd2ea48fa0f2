import { expect, test } from 'vitest'
import {
  changeText,
  conflictsOf,
  newDraft,
  readDraft,
  toBody,
  toChanges,
  UNCHANGED,
  withoutInput,
} from './draft.ts'

const DRAFT = { ...newDraft('Asia/Seoul'), app: 'hello', target: 'greet' }

test('a draft comes back as it was kept, and nonsense leaves what was there at first', () => {
  expect(readDraft(JSON.stringify({ ...DRAFT, kind: 'flow', enabled: false }), DRAFT)).toEqual({
    ...DRAFT,
    kind: 'flow',
    enabled: false,
  })
  expect(readDraft('{"kind":7,"cron":[]}', DRAFT)).toEqual(DRAFT)
  expect(readDraft('nonsense', DRAFT)).toEqual(DRAFT)
})

test('a schedule names an action or a flow, never both', () => {
  expect(toBody({ ...DRAFT, cron: ' @daily ', input: '{"name":"Ada"}' })).toEqual({
    app_key: 'hello',
    action_key: 'greet',
    cron: '@daily',
    timezone: 'Asia/Seoul',
    input: { name: 'Ada' },
    enabled: true,
    overlap: 'allow',
  })
  const body = toBody({ ...DRAFT, kind: 'flow', target: 'report' })
  expect(body).toMatchObject({ flow_key: 'report' })
  expect(body).not.toHaveProperty('action_key')
})

test('nothing is sent while a field is missing, or the input is not an object', () => {
  expect(toBody({ ...DRAFT, target: '' })).toBeNull()
  expect(toBody({ ...DRAFT, cron: ' ' })).toBeNull()
  expect(toBody({ ...DRAFT, input: '[1]' })).toBeNull()
  expect(toBody({ ...DRAFT, input: '{"a":' })).toBeNull()
})

test('only what was changed is kept and sent, and the rest is what the server has by then', () => {
  const text = changeText(changeText(UNCHANGED, DRAFT, { cron: '@daily' }), DRAFT, {
    enabled: false,
  })
  const meanwhile = { ...DRAFT, timezone: 'UTC', overlap: 'skip', enabled: false } as const
  const draft = readDraft(text, meanwhile)
  expect(draft).toEqual({ ...meanwhile, cron: '@daily' })
  const body = toBody(draft)
  expect(body && toChanges(body, draft, meanwhile)).toEqual({ cron: '@daily' })
})

test('a draft without its input has neither what was typed nor what was there before', () => {
  const before = { ...DRAFT, input: '{"pin":"1111"}' }
  const typed = changeText(UNCHANGED, before, { input: '{"pin":"2222"}' })
  expect(withoutInput(typed)).toBe(UNCHANGED)
  expect(withoutInput('nonsense')).toBe(UNCHANGED)
  const more = withoutInput(changeText(typed, before, { cron: '@daily' }))
  expect(readDraft(more, before)).toEqual({ ...before, cron: '@daily' })
  expect(conflictsOf(more, { ...before, cron: '@hourly' })).toEqual(['cron'])
  expect(more).not.toMatch(/1111|2222/)
})

test('a target is kept and sent whole', () => {
  const text = changeText(UNCHANGED, DRAFT, { target: 'part' })
  const draft = readDraft(text, { ...DRAFT, app: 'shop', kind: 'flow', target: 'report' })
  expect(draft).toEqual({ ...DRAFT, target: 'part' })
  const body = toBody(draft)
  expect(body && toChanges(body, draft, DRAFT)).toEqual({ app_key: 'hello', action_key: 'part' })
})

test('a field that someone else has changed to something else since it was typed is a conflict', () => {
  const typed = changeText(UNCHANGED, DRAFT, { cron: '@dai' })
  const text = changeText(typed, readDraft(typed, DRAFT), { cron: '@daily' })
  expect(conflictsOf(text, DRAFT)).toEqual([])
  expect(conflictsOf(text, { ...DRAFT, timezone: 'UTC' })).toEqual([])
  expect(conflictsOf(text, { ...DRAFT, cron: '@daily' })).toEqual([])
  expect(conflictsOf(text, { ...DRAFT, cron: '@hourly', enabled: false })).toEqual(['cron'])
  const undone = changeText(text, readDraft(text, DRAFT), { cron: DRAFT.cron })
  expect(conflictsOf(undone, { ...DRAFT, cron: '@hourly' })).toEqual(['cron'])
  expect(conflictsOf('{"cron":"@daily"}', { ...DRAFT, cron: '@hourly' })).toEqual([])
})
