/** Tests the licences that dist/svc prints. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import { FROM_SOURCE } from '../support/svc-process.ts'

const BINARY = resolve(import.meta.dirname, '../../dist/svc')
const MAX_PACKED_BYTES = 200_000

const folder = mkdtempSync(join(tmpdir(), 'svc-licenses-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command without a home, a data folder or settings. */
const licenses = (program: readonly string[], ...args: readonly string[]) => {
  const [command = '', ...before] = program
  const { stdout, stderr, status } = spawnSync(command, [...before, 'licenses', ...args], {
    cwd: folder,
    env: { HOME: join(folder, 'missing') },
    encoding: 'utf8',
    maxBuffer: 16_000_000,
  })
  return { stdout, stderr, status }
}

const shape = z.strictObject({
  license: z.string(),
  components: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string().nullable(),
      license: z.string().min(1),
      texts: z.array(z.string().min(50)).min(1),
    }),
  ),
})

test('svc licenses lists each part of the binary, and writes no file', () => {
  const { stdout, stderr, status } = licenses([BINARY])
  expect([stderr, status, readdirSync(folder)]).toEqual(['', 0, []])
  expect(stdout).toMatch(/^svc \S+: .*all rights reserved \(UNLICENSED\)/)
  const listed = stdout.split('\n').map((line) => line.split(/ {2,}/)[0])
  const inside = [
    ...['yargs', 'ws', 'unpdf', 'unpdf/pdf.js', 'pngjs', 'react', '@xyflow/react', 'minisearch'],
    ...[`node-linux-${process.arch}`, 'deno', 'esbuild', 'libsql', 'tesseract.js-core'],
    ...['@tesseract.js-data/kor', 'pdfjs-dist/cmaps', 'pdfjs-dist/pdfium', 'pdfjs-dist/openjpeg'],
  ]
  expect(inside.filter((name) => !listed.includes(name))).toEqual([])
})

test('svc licenses names the lists of Rust packages of the versions that it contains', () => {
  const locks = [
    `denoland/deno/blob/v${packageJson.dependencies.deno}/Cargo.lock`,
    `tursodatabase/libsql-js/blob/v${packageJson.dependencies.libsql}/Cargo.lock`,
  ]
  for (const args of [[], ['--full']]) {
    const { stdout } = licenses([BINARY], ...args)
    for (const lock of locks) expect(stdout).toContain(lock)
  }
})

test('svc licenses --full prints each text once', () => {
  const { stdout, status } = licenses([BINARY], '--full')
  expect(status).toBe(0)
  for (const words of [
    'Copyright Node.js contributors',
    'Copyright 2014 The PDFium Authors',
    'Copyright (C) 2001 Leptonica',
    'Meta Platforms',
    'the Deno authors',
  ]) {
    expect(stdout).toContain(words)
  }
  expect(stdout.split('TERMS AND CONDITIONS FOR USE, REPRODUCTION').length).toBeLessThan(25)
})

test('svc licenses --json states licences, with --full also texts, which take little of the binary', () => {
  const brief = JSON.parse(licenses([BINARY], '--json').stdout)
  const full = shape.parse(JSON.parse(licenses([BINARY], '--json', '--full').stdout))
  expect(full.license).toBe(packageJson.license)
  expect(brief.components).toEqual(full.components.map(({ texts: _, ...each }) => each))
  expect(brotliCompressSync(JSON.stringify(full)).length).toBeLessThan(MAX_PACKED_BYTES)
})

test('from source, svc licenses refuses and names where the list is', () => {
  const { stderr, status } = licenses(FROM_SOURCE)
  expect(stderr).toContain('only the binary has the list: make build, then dist/svc licenses.')
  expect(status).toBe(1)
})
