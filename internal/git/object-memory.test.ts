import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { explainFailure } from './failure.ts'
import { pushEnvironment } from './push-repository.ts'
import { openSession } from './session.ts'

const BASE_BYTES = 1_024 * 1_024
const BLOB = 3
const DELTA = 7

/** A number in groups of 7 bits, the lowest first. */
const groups = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...groups(Math.floor(value / 0x80))]

const entry = (type: number, content: Uint8Array, base = Buffer.alloc(0)): Uint8Array => {
  const size = content.length
  const first = (type << 4) | (size & 15) | (size > 15 ? 0x80 : 0)
  const more = size > 15 ? groups(Math.floor(size / 16)) : []
  return Buffer.concat([Buffer.from([first, ...more]), base, deflateSync(content)])
}

/** A pack of a few KB whose second object repeats the first one. */
const packOf = (times: number): Uint8Array => {
  const base = Buffer.alloc(BASE_BYTES)
  const id = createHash('sha1').update(`blob ${BASE_BYTES}\0`).update(base).digest()
  const copies = Array.from({ length: times }, () => [0xf0, 0x00, 0x00, 0x10]).flat()
  const delta = Buffer.from([...groups(BASE_BYTES), ...groups(BASE_BYTES * times), ...copies])
  const head = Buffer.from([0x50, 0x41, 0x43, 0x4b, 0, 0, 0, 2, 0, 0, 0, 2])
  const objects = Buffer.concat([head, entry(BLOB, base), entry(DELTA, delta, id)])
  return Buffer.concat([objects, createHash('sha1').update(objects).digest()])
}

test('an object that would take all memory is refused, from a source and in a push', () => {
  const root = mkdtempSync(join(tmpdir(), 'svc-memory-'))
  const path = process.env.PATH ?? ''
  const address = { scheme: 'https', text: 'https://x/y', host: 'x', port: null } as const
  const session = openSession({ address, auth: null, pin: null, environment: { PATH: path } })
  const index = (env: Readonly<Record<string, string>>, times: number): string => {
    const options = { env: { ...env }, input: packOf(times), encoding: 'utf8' } as const
    spawnSync('git', ['init', '--quiet', '--bare', join(root, 'r')], options)
    const args = ['--git-dir', join(root, 'r'), 'index-pack', '--stdin']
    return spawnSync('git', args, options).stderr
  }
  for (const env of [session.env, pushEnvironment({ root, path, maxBytes: 1_000_000 })]) {
    expect(index(env, 2)).not.toContain('fatal')
    const stderr = index(env, 257)
    expect(explainFailure({ stderr, code: 128, stdout: new Uint8Array(0), stopped: null })).toBe(
      'it has an object, or a list of branches, that is larger than svc accepts',
    )
  }
  session.dispose()
  rmSync(root, { recursive: true })
})
