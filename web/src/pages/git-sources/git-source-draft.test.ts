import { describe, expect, test } from 'vitest'
import { draftOf, mayBeKept, nameOfUrl, toRequest } from './git-source-draft.ts'

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
