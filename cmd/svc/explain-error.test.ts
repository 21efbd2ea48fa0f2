import { mkdirSync } from 'node:fs'
import process from 'node:process'
import { expect, test } from 'vitest'
import { DatabaseError } from '#store/database.ts'
import { takesSettings } from './commands.ts'
import { explainError } from './explain-error.ts'

const caught = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    return error
  }
}

test('a fault of the disk is explained with its place and remedy', () => {
  const error = caught(() => mkdirSync('/dev/null/below'))
  expect(explainError(error)).toBe(
    '/dev/null/below is below a file, not a folder. Choose another path.',
  )
})

test('a command that takes no settings of a node does not lead to svc doctor', () => {
  const refused = Object.assign(new Error(), { code: 'EACCES', path: '/srv/shop/app.yaml' })
  const sentence =
    'This user may not use /srv/shop/app.yaml. Give it the place (chown), or name another.'
  expect(explainError(refused, takesSettings('init'))).toBe(sentence)
  expect(explainError(refused, takesSettings('start'))).toBe(
    `${sentence} Try \`svc doctor\` with the same flags.`,
  )
  expect(['run', 'upgrade', 'nosuch'].map(takesSettings)).toEqual([false, false, false])
  expect(['db', 'doctor', 'create-token'].map(takesSettings)).toEqual([true, true, true])
})

test('a place where no copy can be written is that of the copy', () => {
  const copying = (code: string, path: string) =>
    explainError(Object.assign(new Error(), { code, path, dest: '/data/svc.db' }))
  const readable = process.execPath
  expect(copying('ENOSPC', readable)).toMatch(
    /^The disk is full: \/data\/svc\.db could not be written\./,
  )
  expect(copying('EROFS', readable)).toMatch(
    /^\/data\/svc\.db lies on a disk that cannot be written/,
  )
  expect(copying('EACCES', readable)).toMatch(/^This user may not use \/data\/svc\.db\./)
  expect(copying('EACCES', '/dev/null/backup.db')).toMatch(/may not use \/dev\/null\/backup\.db\./)
})

test('a fault of the database is explained as one', () => {
  const error = new DatabaseError('file is not a database', { kind: 'other', outcome: 'none' })
  expect(explainError(error)).toMatch(/^The database does not work: file is not a database\. Try/)
  const away = new DatabaseError('The database cannot be reached: no', {
    kind: 'unavailable',
    outcome: 'none',
  })
  expect(explainError(away)).toMatch(/^The database cannot be reached: no\. Try `svc doctor`/)
})

test('a sentence of ours stays as it is, and a slip of ours shows where it happened', () => {
  expect(explainError(new Error('Port 3000 is taken.'))).toBe('Port 3000 is taken.')
  expect(explainError(new TypeError('x is not a function'))).toContain('explain-error.test.ts')
  expect(explainError('thrown')).toBe('thrown')
})

test('a cache folder from which no program may run is named, with the setting for another', () => {
  const library = `/tmp/svc-1000/${'0f'.repeat(32)}/libsql.node`
  const refused = new Error(`${library}: failed to map segment from shared object`)
  expect(explainError(refused)).toBe(
    'No program may run from /tmp/svc-1000, because its disk is mounted noexec. Set SVC_CACHE_DIR to a folder on another disk.',
  )
})

test('a file that is not there is named in a sentence, a program that is not there is not', () => {
  const missing = { code: 'ENOENT', path: '/nope' }
  const file = Object.assign(new Error('ENOENT: no such file'), { ...missing, syscall: 'open' })
  expect(explainError(file)).toBe('There is no file /nope. Check its name.')
  const deep = Object.assign(new Error('ENOENT'), { ...missing, path: '/nope/x', syscall: 'open' })
  expect(explainError(deep)).toBe('There is no folder /nope. Check its name.')
  const program = Object.assign(new Error('spawn git ENOENT'), { code: 'ENOENT', path: 'git' })
  expect(explainError(program)).toBe('spawn git ENOENT')
})
