import { describe, expect, test } from 'vitest'
import {
  type Credentials,
  conflictsOf,
  draftOf,
  mayBeKept,
  nameOfUrl,
  readChanges,
  toChanges,
  toRequest,
} from './git-source-draft.ts'

const KEEP: Credentials = { kind: 'keep', secret: '' }
const NONE: Credentials = { kind: 'none', secret: '' }
const draft = { ...draftOf(null), name: ' shop ', url: ' https://h/shop.git ' }

describe('what is sent of a git source', () => {
  test('is trimmed, and empty where nothing was written', () => {
    expect(toRequest(draft, { kind: 'none', secret: '' })).toEqual({
      name: 'shop',
      url: 'https://h/shop.git',
      branch: null,
      path: '',
      auto_sync_s: null,
      auth: null,
    })
  })

  test('leaves stored credentials alone when they are to be kept', () => {
    const sent = toRequest({ ...draft, every: '300', branch: 'main' }, { kind: 'keep', secret: '' })
    expect(sent).toMatchObject({ auto_sync_s: 300, branch: 'main' })
    expect(sent).not.toHaveProperty('auth')
  })

  test('ends a key with a line end, and names a user only where one was given', () => {
    expect(toRequest(draft, { kind: 'ssh_key', secret: '\nKEY' }).auth).toEqual({
      type: 'ssh_key',
      private_key: 'KEY\n',
    })
    expect(toRequest({ ...draft, username: 'me' }, { kind: 'token', secret: 't\n' }).auth).toEqual({
      type: 'token',
      token: 't',
      username: 'me',
    })
  })
})

describe('what is sent of a change', () => {
  const known = {
    id: 'g1',
    name: 'shop',
    url: 'https://h/shop.git',
    branch: 'main',
    path: '',
    auto_sync_s: 300,
    has_auth: true,
    last_sync_at: null,
    last_commit: null,
    last_error: null,
    created_by: 'ada@example.com',
    created_at: '2026-01-01T00:00:00.000Z',
  }
  const sent = (change: object, source = known, credentials = KEEP) =>
    toChanges(toRequest({ ...draftOf(source), ...change }, credentials), source)

  test('is what differs, so that a change of another person stays', () => {
    expect(sent({})).toEqual({})
    expect(sent({ branch: 'next ', every: '' })).toEqual({ branch: 'next', auto_sync_s: null })
  })

  test('has credentials only when they were given or taken away', () => {
    const open = { ...known, has_auth: false }
    expect(sent({ name: 'x' }, open, NONE)).toEqual({ name: 'x' })
    expect(sent({}, known, NONE)).toEqual({ auth: null })
    expect(sent({}, open, { kind: 'token', secret: 't' })).toEqual({
      auth: { type: 'token', token: 't' },
    })
  })

  test('conflicts with what another person changed in the same field to another value', () => {
    const now = { ...known, branch: 'theirs', name: 'same', auto_sync_s: 30 }
    expect(conflictsOf({ branch: 'mine', name: 'same', path: 'x' }, known, now)).toEqual(['branch'])
    expect(conflictsOf({ branch: 'mine' }, now, now)).toEqual([])
  })

  test('is read from what was kept, without fields of another shape', () => {
    expect(readChanges({ name: 'x', branch: 7, other: 'y' })).toEqual({ name: 'x' })
    expect(readChanges(undefined)).toEqual({})
  })
})

test.each([
  ['https://example.com/team/shop.git', 'shop'],
  ['git@example.com:shop', 'shop'],
  ['/srv/git/shop/', 'shop'],
  ['', ''],
])('%j is called %j', (url, name) => {
  expect(nameOfUrl(url)).toBe(name)
})

test('an address with a password is not kept', () => {
  expect(mayBeKept({ ...draft, url: 'https://me:secret@h/x' })).toBe(false)
  expect(mayBeKept({ ...draft, url: 'ssh://git@h:22/x' })).toBe(true)
})
