import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cacheNameOf, toChunkText } from '../../internal/platform/chunk-text.ts'
import { PART_FLAG, PART_SOURCES } from '../../internal/platform/part-name.ts'
import { bundleProgram, splitProgram } from './bundle-program.ts'
import { writeCodeCaches } from './code-cache.ts'
import { hostArchitecture, platformParts } from './platform-parts.ts'
import { sampleRequest } from './sample-request.ts'

const parts = platformParts(hostArchitecture())
const folder = mkdtempSync(join(tmpdir(), 'svc-cache-'))
const MAIN = resolve(import.meta.dirname, '../svc/main.ts')

type Build = ReadonlyMap<string, Buffer>

/** Builds the chunks of svc with their caches. @returns all files by name */
const buildOnce = async (name: string): Promise<Build> => {
  const place = join(folder, name)
  mkdirSync(place)
  const { chunks } = await splitProgram(MAIN)
  for (const [chunk, program] of chunks) writeFileSync(join(place, chunk), toChunkText(program))
  const names = [...chunks.keys()]
  writeCodeCaches(
    parts,
    names.map((chunk) => join(place, chunk)),
    { areModules: true },
  )
  return new Map(
    names
      .flatMap((chunk) => [chunk, cacheNameOf(chunk)])
      .map((file) => [file, readFileSync(join(place, file))]),
  )
}

const first: { build: Build } = { build: new Map() }
beforeAll(async () => {
  first.build = await buildOnce('first')
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

/** Compiles texts with their caches. @returns how many caches V8 rejected */
const countRefusedOf = (paths: readonly string[], flags: readonly string[]): number => {
  const program = `
    const { readFileSync } = require('node:fs')
    const { Script } = require('node:vm')
    const refused = process.argv.slice(1).filter((path) => {
      const cachedData = readFileSync(path + '.cache')
      const script = new Script(readFileSync(path, 'utf8'), { filename: path, cachedData })
      if (typeof script.runInThisContext() !== 'function') throw new Error(path)
      return script.cachedDataRejected
    })
    console.log(refused.length)`
  return Number(execFileSync(parts.node, [...flags, '-e', program, ...paths], { encoding: 'utf8' }))
}

const countRefused = (...flags: readonly string[]): number => {
  const chunks = [...first.build.keys()].filter((file) => !file.endsWith('.cache'))
  return countRefusedOf(
    chunks.map((file) => join(folder, 'first', file)),
    flags,
  )
}

/** Builds the PDF reader with a cache of the functions that it used. @returns its path */
const buildReader = async (name: string): Promise<string> => {
  const place = join(folder, name)
  mkdirSync(place)
  const path = join(place, 'read-pdf-part.js')
  await bundleProgram(
    resolve(import.meta.dirname, '../../internal', PART_SOURCES['read-pdf']),
    path,
  )
  writeFileSync(path, toChunkText(readFileSync(path, 'utf8')))
  writeCodeCaches(parts, [path], { flag: PART_FLAG, input: sampleRequest() })
  return path
}

test('the same source gives the same chunks and code caches, byte for byte', async () => {
  const second = await buildOnce('second')
  expect([...second.keys()]).toEqual([...first.build.keys()])
  const differing = [...second].filter(([file, bytes]) => !first.build.get(file)?.equals(bytes))
  expect(differing.map(([file]) => file)).toEqual([])
}, 60_000)

test('V8 takes every code cache in a process with an own hash seed', () => {
  expect(countRefused()).toBe(0)
})

test('V8 takes the code caches under the heap limits that svc sets', () => {
  expect(countRefused('--max-old-space-size=256')).toBe(0)
})

test('where V8 refuses the code caches, the programs are compiled from their text', () => {
  expect(countRefused('--no-flush-bytecode')).toBe(first.build.size / 2)
})

test('V8 takes the cache of the reader of PDFs under the flag it runs with, and refuses it without', async () => {
  const path = await buildReader('reader')
  expect(countRefusedOf([path], [PART_FLAG, '--max-old-space-size=512'])).toBe(0)
  expect(countRefusedOf([path], [])).toBe(1)
  const again = await buildReader('reader-again')
  const [cache, second] = [path, again].map((file) => readFileSync(cacheNameOf(file)))
  expect(second?.equals(cache ?? Buffer.alloc(0))).toBe(true)
  // without those functions, the cache has only the program's outermost ones
  writeCodeCaches(parts, [again], { flag: PART_FLAG })
  expect(readFileSync(cacheNameOf(again)).length).toBeLessThan((cache?.length ?? 0) * 0.8)
}, 120_000)

test('a cache has the functions of a program that sees no time pass, however busy the machine is', () => {
  const place = join(folder, 'clock')
  mkdirSync(place)
  const path = join(place, 'program.js')
  const program = `
    const started = Date.now()
    const soon = () => 'called at once'
    const late = () => 'called after a while'
    let turns = 0
    while (Date.now() === started && turns < 1e7) turns += 1
    if (turns < 1e7) late()
    else soon()`
  writeFileSync(path, toChunkText(program))
  writeCodeCaches(parts, [path], { input: Buffer.from('') })
  const cache = readFileSync(cacheNameOf(path), 'latin1')
  expect(cache).toContain('called at once')
  expect(cache).not.toContain('called after a while')
})

test('a cache of modules has what they call while they are loaded, also where one needs the executable', () => {
  const place = join(folder, 'modules')
  mkdirSync(place)
  const programs = {
    'first.js': `const called = () => 'called when loaded', later = () => 'called later'
      called(); require('./second.js'); exports.later = later`,
    'second.js': `const ends = () => 'called before the end'; ends(); require('node:sea').getAsset('x')`,
    'third.js': `require('./first.js').later()`,
  }
  const paths = Object.entries(programs).map(([name, program]) => {
    const path = join(place, name)
    writeFileSync(path, toChunkText(program))
    return path
  })
  writeCodeCaches(parts, paths, { areModules: true })
  const [first = '', second] = paths.map((path) => readFileSync(cacheNameOf(path), 'latin1'))
  expect(first).toContain('called when loaded')
  expect(second).toContain('called before the end')
  writeFileSync(join(place, 'third.js'), toChunkText(`null.property`))
  expect(() => writeCodeCaches(parts, paths, { areModules: true })).toThrow('null')
})
