import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { hostArchitecture, platformParts } from './platform-parts.ts'
import { withoutSymbols } from './without-symbols.ts'

const CARRIED_NODE = platformParts(hostArchitecture()).node
const folder = mkdtempSync(join(tmpdir(), 'svc-symbols-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('Node without its symbol table is a tenth smaller, and runs and loads native modules as before', () => {
  const whole = readFileSync(CARRIED_NODE)
  const cut = withoutSymbols(whole)
  expect(cut.length).toBeLessThan(whole.length * 0.9)
  const path = join(folder, 'node')
  writeFileSync(path, cut, { mode: 0o755 })
  const native = createRequire(import.meta.url).resolve(`@libsql/linux-${process.arch}-gnu`)
  const program = `
    const native = { exports: {} }
    process.dlopen(native, ${JSON.stringify(native)})
    console.log(typeof native.exports.databaseOpen)`
  expect(execFileSync(path, ['-e', program], { encoding: 'utf8' })).toBe('function\n')
})

test('a file that is not an executable of this form is refused', () => {
  expect(() => withoutSymbols(Buffer.from('#!/bin/sh\n'))).toThrow('not a 64-bit ELF')
})
