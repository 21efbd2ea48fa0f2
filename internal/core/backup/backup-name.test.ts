import { expect, test } from 'vitest'
import { backupName, expiredBackups, listBackups } from './backup-name.ts'

const FORM = { prefix: 'svc-', suffix: '.db' }
const at = (hour: number): string => backupName(FORM, Date.UTC(2026, 0, 31, hour))

test('the name of a backup is its time, without colons', () => {
  expect(at(9)).toBe('svc-2026-01-31T09-00-00-000Z.db')
})

test('backups are listed newest first, and no other file is one', () => {
  const others = [
    'svc.db',
    'svc-.db',
    'svc-copy.db',
    `${at(8)}.partial`,
    `x${at(8)}`,
    'svc-2026.db',
  ]
  expect(listBackups(FORM, [at(7), ...others, at(11), at(9)])).toEqual([at(11), at(9), at(7)])
})

test('what is more than the number to keep expires, the oldest first', () => {
  const names = [at(3), 'mine.db', at(1), at(2), at(4)]
  expect(expiredBackups(FORM, names, 2)).toEqual([at(2), at(1)])
  expect(expiredBackups(FORM, names, 4)).toEqual([])
})
