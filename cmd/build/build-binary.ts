/**
 * Builds svc as one executable: Node, the program and everything that it starts, from npm packages only.
 *
 * The same sources and packages give the same bytes, in any folder. The program must neither use top-level await nor read a
 * file relative to its own source (internal/platform has the exceptions).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { cacheNameOf, toChunkText } from '../../internal/platform/chunk-text.ts'
import { PART_FLAG, PART_SOURCES } from '../../internal/platform/part-name.ts'
import { THREAD_SOURCES, threadFile } from '../../internal/platform/thread-name.ts'
import { buildConsole, consoleAssets } from './build-console.ts'
import { bundleProgram, splitProgram } from './bundle-program.ts'
import { packCarriedFiles } from './carried-files.ts'
import { writeCodeCaches } from './code-cache.ts'
import { buildGuides, guideAssets } from './guides/build-guides.ts'
import { packBinary } from './pack-binary.ts'
import { packFiles } from './pack-files.ts'
import { type Architecture, type PlatformParts, platformParts } from './platform-parts.ts'
import { sampleRequest } from './sample-request.ts'

const root = resolve(import.meta.dirname, '../..')
const work = join(root, 'dist', 'work')
const cache = join(root, 'node_modules', '.cache', 'svc-build')

const partFile = (name: string): string => `${name}-part.js`

type Assets = Readonly<Record<string, string>>

const bundleInternal = async (source: string, file: string): Promise<string> => {
  await bundleProgram(join(root, 'internal', source), join(work, file))
  return readFileSync(join(work, file), 'utf8')
}

/** Bundles the program, its threads and its separate processes as chunks. @returns their names */
const bundleChunks = async (): Promise<readonly string[]> => {
  const chunks = new Map(await splitProgram(join(root, 'cmd', 'svc', 'main.ts')))
  for (const [name, source] of Object.entries(THREAD_SOURCES)) {
    chunks.set(threadFile(name), await bundleInternal(source, threadFile(name)))
  }
  for (const [name, source] of Object.entries(PART_SOURCES)) {
    chunks.set(partFile(name), await bundleInternal(source, partFile(name)))
  }
  for (const [name, program] of chunks) writeFileSync(join(work, name), toChunkText(program))
  return [...chunks.keys()]
}

/** Adds V8's code cache of each chunk, which the platform's Node makes. @returns files by asset name */
const withCodeCaches = (parts: PlatformParts, chunks: readonly string[]): Assets => {
  const pathsOf = (names: readonly string[]) => names.map((name) => join(work, name))
  const threads = Object.keys(THREAD_SOURCES).map(threadFile)
  const apart = [...threads, ...Object.keys(PART_SOURCES).map(partFile)]
  writeCodeCaches(parts, pathsOf(threads))
  writeCodeCaches(parts, pathsOf(chunks.filter((name) => !apart.includes(name))), {
    areModules: true,
  })
  writeCodeCaches(parts, pathsOf([partFile('read-pdf')]), {
    flag: PART_FLAG,
    input: sampleRequest(),
  })
  writeCodeCaches(parts, pathsOf([partFile('read-scan')]), { flag: PART_FLAG })
  return Object.fromEntries(
    chunks.flatMap((name) => [name, cacheNameOf(name)]).map((file) => [file, join(work, file)]),
  )
}

export type Target = Readonly<{ arch: Architecture; output: string }>

/**
 * Builds the executable of each target. The program is bundled once, because only the carried parts differ.
 * @returns the size of each in bytes, in the order of the targets
 * @throws {Error} a package of a target's platform is missing
 */
export const buildBinaries = async (targets: readonly Target[]): Promise<readonly number[]> => {
  const builds = targets.map(({ arch, output }) => ({ parts: platformParts(arch), output }))
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  await buildConsole()
  await buildGuides()
  const program = join(work, 'svc.js')
  await bundleInternal('platform/program.binary.ts', 'svc.js')
  await bundleInternal('platform/thread-entry.binary.ts', 'thread.js')
  const served = { ...consoleAssets(), ...guideAssets() }
  const chunks = await bundleChunks()
  const sizes = builds.map(({ parts, output }) => {
    const assets = {
      ...packCarriedFiles(parts, { work, cache }),
      ...packFiles({ ...withCodeCaches(parts, chunks), ...served }, work),
      'thread.js': join(work, 'thread.js'),
    }
    mkdirSync(dirname(output), { recursive: true })
    return packBinary({ node: parts.node, program, assets, work, output })
  })
  rmSync(work, { recursive: true, force: true })
  return sizes
}
