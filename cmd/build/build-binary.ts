/**
 * Builds svc as one executable: Node, the program and everything that it starts, from npm packages only.
 *
 * The same sources and packages give the same bytes, in any folder. The program must neither use top-level await nor read a
 * file relative to its own source (internal/platform has the exceptions).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { cacheNameOf, toChunkText } from '../../internal/platform/chunk-text.ts'
import { PART_FLAG, PART_SOURCES } from '../../internal/platform/part-name.ts'
import { THREAD_SOURCES, threadFile } from '../../internal/platform/thread-name.ts'
import { ROOT } from '../root.ts'
import { NOTICES_FILE, type Notices } from '../svc/license-notices.ts'
import { buildConsole, consoleAssets } from './build-console.ts'
import { bundleProgram, splitProgram } from './bundle-program.ts'
import { carriedPlaces, packCarriedFiles } from './carried-files.ts'
import { writeCodeCaches } from './code-cache.ts'
import { placesOfTexts } from './compile-text.ts'
import { buildGuides, guideAssets } from './guides/build-guides.ts'
import { collectNotices } from './licenses/notices.ts'
import { packBinary } from './pack-binary.ts'
import { packFiles } from './pack-files.ts'
import { type Architecture, type PlatformParts, platformParts } from './platform-parts.ts'
import { sampleRequest } from './sample-request.ts'

const work = join(ROOT, 'dist', 'work')
const cache = join(ROOT, 'node_modules', '.cache', 'svc-build')

const partFile = (name: string): string => `${name}-part.js`

type Assets = Readonly<Record<string, string>>

const bundleInternal = (source: string, file: string): Promise<readonly string[]> =>
  bundleProgram(join(ROOT, 'internal', source), join(work, file))

type Chunks = Readonly<{ names: readonly string[]; places: readonly string[] }>

/** Bundles the program, its threads and its separate processes as chunks. */
const bundleChunks = async (): Promise<Chunks> => {
  const split = await splitProgram(join(ROOT, 'cmd', 'svc', 'main.ts'))
  const chunks = new Map(split.chunks)
  const places = [...split.places]
  const add = async (file: string, source: string): Promise<void> => {
    places.push(...(await bundleInternal(source, file)))
    chunks.set(file, readFileSync(join(work, file), 'utf8'))
  }
  for (const [name, source] of Object.entries(THREAD_SOURCES)) await add(threadFile(name), source)
  for (const [name, source] of Object.entries(PART_SOURCES)) await add(partFile(name), source)
  for (const [name, program] of chunks) writeFileSync(join(work, name), toChunkText(program))
  return { names: [...chunks.keys()], places }
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

/** Writes the licence notices, compressed. @returns the file by asset name */
const packNotices = (notices: Notices): Assets => {
  const path = join(work, NOTICES_FILE)
  writeFileSync(path, brotliCompressSync(JSON.stringify(notices)))
  return { [NOTICES_FILE]: path }
}

export type Target = Readonly<{ arch: Architecture; output: string }>
/** `bytes` is the size of the executable. */
export type BuiltBinary = Readonly<{ arch: Architecture; bytes: number; notices: Notices }>

/**
 * Builds the executable of each target. The program is bundled once, because only the carried parts differ.
 * @returns in the order of the targets
 * @throws {Error} a package of a target's platform is missing, or one inside svc has no licence text or one that is not allowed
 */
export const buildBinaries = async (
  targets: readonly Target[],
): Promise<readonly BuiltBinary[]> => {
  const builds = targets.map(({ arch, output }) => ({ parts: platformParts(arch), output }))
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const folders = [await buildConsole(), await buildGuides()]
  const program = join(work, 'svc.js')
  const chunks = await bundleChunks()
  const places = [
    ...folders.flatMap((built) => built.places),
    ...(await bundleInternal('platform/program.binary.ts', 'svc.js')),
    ...(await bundleInternal('platform/thread-entry.binary.ts', 'thread.js')),
    ...(await placesOfTexts()),
    ...chunks.places,
  ]
  const served = { ...consoleAssets(), ...guideAssets() }
  const built = builds.map(({ parts, output }) => {
    const inside = [...places, ...carriedPlaces(parts)]
    const notices = collectNotices(inside.map((place) => join(ROOT, place)))
    const assets = {
      ...packCarriedFiles(parts, { work, cache }),
      ...packFiles(
        { ...withCodeCaches(parts, chunks.names), ...served, ...packNotices(notices) },
        work,
      ),
      'thread.js': join(work, 'thread.js'),
    }
    mkdirSync(dirname(output), { recursive: true })
    const bytes = packBinary({ node: parts.node, program, assets, work, output })
    return { arch: parts.arch, bytes, notices }
  })
  rmSync(work, { recursive: true, force: true })
  return built
}
