import { expect, test } from 'vitest'
import { checkDisk } from './check-disk.ts'

const MIB_BLOCKS = 256
const ROOMY = { bavail: 1_000 * MIB_BLOCKS, bsize: 4_096, files: 10, ffree: 5 }

test('a disk with less than 16 MiB or without room for files is broken, and has a remedy', () => {
  const check = (facts: Partial<typeof ROOMY>) =>
    checkDisk('/a/svc.db', () => ({ ...ROOMY, ...facts }))
  expect(check({})).toEqual({ ok: true, found: '1000 MiB are free for /' })
  expect(check({ files: 0, ffree: 0 })).toMatchObject({ ok: true })
  const remedy = expect.stringContaining('Free some space')
  const full = { ok: false, found: '15 MiB are free for /', remedy }
  expect(check({ bavail: 16 * MIB_BLOCKS - 1 })).toEqual(full)
  expect(check({ ffree: 0 })).toMatchObject({ ok: false, remedy })
})

test('the facts are those of the disk that has the folder', () => {
  expect(checkDisk('/proc/none/svc.db').found).toBe('0 MiB are free for /proc')
})
