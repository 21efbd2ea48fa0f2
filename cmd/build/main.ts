/**
 * Builds dist/svc: Node, the program and everything that it starts, in one file, from node_modules only.
 *
 * The same sources and packages give the same bytes. The program must not use top-level await, nor read a file relative to
 * its own source (internal/platform has the exceptions).
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { cacheNameOf, toChunkText } from '../../internal/platform/chunk-text.ts'
import { PART_SOURCES } from '../../internal/platform/part-name.ts'
import { THREAD_SOURCES } from '../../internal/platform/thread-name.ts'
import { buildConsole, consoleAssets } from './build-console.ts'
import { bundleProgram, splitProgram } from './bundle-program.ts'
import { packCarriedFiles } from './carried-files.ts'
import { writeCodeCaches } from './code-cache.ts'
import { packBinary } from './pack-binary.ts'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')
const work = join(dist, 'work')
const cache = join(root, 'node_modules', '.cache', 'svc-build')

type Assets = Readonly<Record<string, string>>

/** Bundles the programs that run on a thread. @returns files by the name of their asset */
const bundleThreads = async (): Promise<Assets> => {
  const assets: Record<string, string> = {}
  for (const [name, source] of Object.entries(THREAD_SOURCES)) {
    const file = `${name}-thread.js`
    await bundleProgram(join(root, 'internal', source), join(work, file))
    assets[file] = join(work, file)
  }
  return assets
}

/** Bundles the program, and those that run in a process of their own, as chunks by name. */
const bundleChunks = async (): Promise<ReadonlyMap<string, string>> => {
  const chunks = new Map(await splitProgram(join(root, 'cmd', 'svc', 'main.ts')))
  for (const [name, source] of Object.entries(PART_SOURCES)) {
    const file = `${name}-part.js`
    await bundleProgram(join(root, 'internal', source), join(work, file))
    chunks.set(file, readFileSync(join(work, file), 'utf8'))
  }
  return chunks
}

/** Writes the chunks with V8's code cache of each. @returns files by the name of their asset */
const packChunks = (chunks: ReadonlyMap<string, string>): Assets => {
  const assets: Record<string, string> = {}
  for (const [name, program] of chunks) {
    const path = join(work, name)
    writeFileSync(path, toChunkText(program))
    assets[name] = path
    assets[cacheNameOf(name)] = cacheNameOf(path)
  }
  writeCodeCaches(
    [...chunks.keys()].map((name) => join(work, name)),
    work,
  )
  return assets
}

const main = async (): Promise<void> => {
  if (process.platform !== 'linux') {
    throw new Error(
      `dist/svc can be built on Linux only. On ${process.platform}, run from source: npm run svc -- start`,
    )
  }
  const started = performance.now()
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  await buildConsole()
  const program = join(work, 'svc.js')
  await bundleProgram(join(root, 'internal', 'platform', 'program.binary.ts'), program)
  const assets = {
    ...packCarriedFiles({ work, cache }),
    ...(await bundleThreads()),
    ...packChunks(await bundleChunks()),
    ...consoleAssets(),
  }
  const bytes = await packBinary({ program, assets, work, output: join(dist, 'svc') })
  rmSync(work, { recursive: true, force: true })
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  process.stdout.write(`dist/svc: ${(bytes / 1e6).toFixed(0)} MB, built in ${seconds} s\n`)
}

await main()
