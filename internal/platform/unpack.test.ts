import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CarriedFile, unpack } from './unpack.ts'

const content = randomBytes(4_096)
const sha256 = createHash('sha256').update(content).digest('hex')

let folder = ''
let reads = 0

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-unpack-'))
  reads = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const carried = (change: Partial<CarriedFile> = {}): CarriedFile => ({
  name: 'runtime',
  sha256,
  bytes: content.length,
  read: () => {
    reads += 1
    return content
  },
  ...change,
})

test('the file is stored under its hash, executable, and read from the binary only once', () => {
  const path = unpack(folder, carried())
  expect(path).toBe(join(folder, sha256, 'runtime'))
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(statSync(path).mode & 0o777).toBe(0o755)
  expect(unpack(folder, carried())).toBe(path)
  expect(reads).toBe(1)
})

test('a file that was truncated, or that others may write to, is written again', () => {
  const path = unpack(folder, carried())
  writeFileSync(path, content.subarray(0, 100))
  unpack(folder, carried())
  expect(readFileSync(path).equals(content)).toBe(true)
  chmodSync(path, 0o777)
  unpack(folder, carried())
  expect(statSync(path).mode & 0o777).toBe(0o755)
  expect(reads).toBe(3)
})

test('damaged bytes are refused and leave nothing behind', () => {
  expect(() => unpack(folder, carried({ read: () => Buffer.from('other') }))).toThrow(
    'Reinstall svc',
  )
  expect(readdirSync(folder)).toEqual([])
})

test('no draft is left next to the file', () => {
  const path = unpack(folder, carried())
  expect(readdirSync(dirname(path))).toEqual(['runtime'])
})
