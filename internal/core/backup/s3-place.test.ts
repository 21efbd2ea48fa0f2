import { expect, test } from 'vitest'
import { isS3Address, parseS3Place, s3Address } from './s3-place.ts'

test.each([
  ['s3://backups', '', null],
  ['s3://backups/', '', null],
  ['s3://backups/svc', 'svc/', null],
  ['s3://backups/a/b-c/', 'a/b-c/', null],
  ['s3://backups/a/svc-1.db', 'a/', 'svc-1.db'],
  ['s3://backups/svc-1.db', '', 'svc-1.db'],
  ['s3://backups/old.db/', 'old.db/', null],
])('%s has the prefix %j and the name %j', (address, prefix, name) => {
  expect(parseS3Place(address)).toEqual({ bucket: 'backups', prefix, name })
})

test.each([
  's3:',
  's3://',
  's3:///a',
  's3://UPPER/a',
  's3://ab',
  's3://backups//a',
  's3://backups/../other',
  's3://backups/a?b',
  's3://backups/a b',
  's3://backups/a+b',
  's3://backups/a=b',
  's3://user:secret@backups/a',
  `s3://backups/${'a'.repeat(901)}`,
])('%s is refused', (address) => {
  expect(isS3Address(address)).toBe(true)
  expect(parseS3Place(address)).toBeNull()
})

test('an address is written as it is read', () => {
  const place = { bucket: 'backups', prefix: 'a/b/', name: null }
  expect(parseS3Place(s3Address(place))).toEqual(place)
  expect(parseS3Place(s3Address(place, 'x.db'))).toEqual({ ...place, name: 'x.db' })
})

test.each(['backup.db', '/backups/s3:', 'c:/x', './s3:x'])('%s is a file', (path) => {
  expect(isS3Address(path)).toBe(false)
})
