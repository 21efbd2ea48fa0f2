import { expect, test } from 'vitest'
import { fieldsToText, readFields, UNCHANGED } from './kept-fields.ts'

type Form = Readonly<{
  name: string
  days: number | null
  isAdmin: boolean
  scopes: readonly string[]
}>
const INITIAL: Form = { name: '', days: 90, isAdmin: false, scopes: [] }

test('fields come back as they were kept', () => {
  const typed: Form = { name: 'laptop', days: null, isAdmin: true, scopes: ['jobs:run'] }
  expect(readFields(fieldsToText(typed, INITIAL), INITIAL)).toEqual(typed)
})

test('only what was changed is kept, and nothing if that was nothing', () => {
  expect(fieldsToText({ ...INITIAL, name: 'laptop' }, INITIAL)).toBe('{"name":"laptop"}')
  expect(fieldsToText({ ...INITIAL, scopes: [] }, INITIAL)).toBe(UNCHANGED)
})

test.each(['', 'null', '[]', '{"name":1,"days":"a","isAdmin":null,"scopes":[1],"other":"a"}'])(
  'the kept text %s changes nothing',
  (text) => {
    expect(readFields(text, INITIAL)).toEqual(INITIAL)
  },
)
