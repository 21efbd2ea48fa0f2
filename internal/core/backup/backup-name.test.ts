import { expect, test } from 'vitest'
import { backupName, expiredBackups, listBackups, restOf } from './backup-name.ts'

const FORM = { prefix: 'svc-', suffix: '.db' }
const timeAt = (hour: number): number => Date.UTC(2026, 0, 31, hour)
const nameAt = (hour: number): string => backupName(FORM, timeAt(hour))

test('the name of a backup is its time, without colons', () => {
  expect(nameAt(9)).toBe('svc-2026-01-31T09-00-00-000Z.db')
})

test('backups are listed newest first with their times, and no other file is one', () => {
  const others = ['svc.db', 'svc-.db', 'svc-2026.db', 'svc-2026-13-31T09-00-00-000Z.db']
  const names = [nameAt(7), ...others, `${nameAt(8)}.partial`, `x${nameAt(8)}`, nameAt(9)]
  expect(listBackups(FORM, names)).toEqual([
    { name: nameAt(9), at: timeAt(9) },
    { name: nameAt(7), at: timeAt(7) },
  ])
})

test('what is more than the number to keep expires, the oldest', () => {
  const names = [nameAt(3), 'mine.db', nameAt(1), nameAt(2), nameAt(4)]
  const made = nameAt(4)
  expect(expiredBackups(FORM, names, { keep: 2, made })).toEqual([nameAt(2), nameAt(1)])
  expect(expiredBackups(FORM, names, { keep: 4, made })).toEqual([])
})

test('a backup that was made after the clock was set back does not expire at once', () => {
  const names = [nameAt(1), nameAt(7), nameAt(8), nameAt(9)]
  const expired = expiredBackups(FORM, names, { keep: 2, made: nameAt(1) })
  expect(expired).toEqual([nameAt(8), nameAt(7)])
})

test('the next backup is due an interval after the last one, at once when that is over', () => {
  expect(restOf(4_950, 100, 5_000)).toBe(50)
  expect(restOf(1_000, 100, 5_000)).toBe(0)
})

test('a clock that was set back puts the next backup off by one interval at most', () => {
  expect(restOf(9_000, 100, 5_000)).toBe(100)
})
