import { expect, test } from 'vitest'
import { findHash, HEADER_BYTES, platformOf } from './program-file.ts'

const elf = (machine: number, order = 1): Uint8Array => {
  const header = new Uint8Array(HEADER_BYTES)
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, order])
  header[18] = machine
  return header
}

test('the header of a program names its platform', () => {
  expect(platformOf(elf(62))).toBe('linux-x64')
  expect(platformOf(elf(183))).toBe('linux-arm64')
  expect(platformOf(Buffer.concat([elf(62), Buffer.alloc(100)]))).toBe('linux-x64')
})

test.each([
  ['a script', Buffer.from('#!/bin/sh\necho 1.2.3; exit 0\n')],
  ['a program of another machine', elf(8)],
  ['a program of the other byte order', elf(62, 2)],
  ['a file that is cut off', elf(62).subarray(0, 10)],
])('%s is of no platform of svc', (_, header) => {
  expect(platformOf(header)).toBeNull()
})

test('the hash of a file is found by its whole name', () => {
  const [one, two] = ['a'.repeat(64), 'b'.repeat(64)]
  const sums = `${one}  svc-linux-x64.sig\n${two} *svc-linux-x64\nbroken  svc\n`
  expect(findHash(sums, 'svc-linux-x64')).toBe(two)
  expect(findHash(sums, 'svc')).toBeNull()
})
