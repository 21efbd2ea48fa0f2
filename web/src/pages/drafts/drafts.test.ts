import { describe, expect, test } from 'vitest'
import { starterFiles } from '../../draft/starter-files.ts'
import { edit, keptText, readKept, rename, withEdits } from './draft-edits.ts'
import { placeOfFault } from './fault-place.ts'
import { toTree } from './file-tree.ts'

describe('unsaved changes of a draft', () => {
  const saved = { 'a.ts': 'a', 'b.ts': 'b' }

  test('lie over what is saved', () => {
    const edits = edit(saved, {}, { 'a.ts': 'A', 'b.ts': null, 'c.ts': 'c' })
    expect(withEdits(saved, edits)).toEqual({ 'a.ts': 'A', 'c.ts': 'c' })
  })

  test('that come back to what is saved are none', () => {
    const edits = edit(saved, {}, { 'a.ts': 'A', 'c.ts': 'c' })
    expect(edit(saved, edits, { 'a.ts': 'a', 'c.ts': null })).toEqual({})
  })

  test('take an unsaved text along to another name', () => {
    const edits = rename(saved, { 'a.ts': 'A' }, { from: 'a.ts', to: 'lib/a.ts' })
    expect(withEdits(saved, edits)).toEqual({ 'b.ts': 'b', 'lib/a.ts': 'A' })
  })

  test('are kept with the version that they began with', () => {
    const kept = { base: '2026-01-31T09:00:00Z', edits: { 'a.ts': 'A', 'b.ts': null } }
    expect(readKept(JSON.parse(keptText(kept)))).toEqual(kept)
    expect(readKept(JSON.parse(keptText({ ...kept, edits: {} })))).toEqual({
      base: null,
      edits: {},
    })
  })

  test.each([[null], [[1]], [{ 'a.ts': 1 }], ['x'], [{ base: 1, edits: { 'a.ts': 1 } }]])(
    'that were kept as %j are none',
    (kept) => {
      expect(readKept(kept)).toEqual({ base: null, edits: {} })
    },
  )
})

test('files are below their folders, folders first', () => {
  const rows = toTree(['z.ts', 'app.yaml', 'lib/b.ts', 'lib/deep/c.ts', 'actions/a.ts'])
  expect(
    rows.map(({ depth, name, path }) => `${'  '.repeat(depth)}${name}${path === null ? '/' : ''}`),
  ).toEqual(['actions/', '  a.ts', 'lib/', '  deep/', '    c.ts', '  b.ts', 'app.yaml', 'z.ts'])
})

test.each([
  ['app.yaml:5:3 actions[0].key', { file: 'app.yaml', line: 5, column: 3 }],
  ['lib/a.ts:12:7', { file: 'lib/a.ts', line: 12, column: 7 }],
  ['lib/a.ts', { file: 'lib/a.ts', line: 1, column: 1 }],
  ['key', null],
  ['gone.ts:1:1', null],
])('the place of %j', (path, place) => {
  expect(placeOfFault(path, ['app.yaml', 'lib/a.ts'])).toEqual(place)
})

test('a new draft begins with an action', () => {
  const files = starterFiles('shop')
  expect(Object.keys(files)).toEqual(['app.yaml', 'actions/hello.ts'])
  expect(files['app.yaml']).toContain('key: shop\n')
})
