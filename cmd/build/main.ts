/**
 * Builds dist/svc: Node, the program and everything that it starts, in one file, from node_modules only.
 *
 * The same sources and packages give the same bytes. The program must not use top-level await, nor read a file relative to
 * its own source (internal/platform has the exceptions).
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { PART_SOURCES } from '../../internal/platform/part-name.ts'
import { THREAD_SOURCES } from '../../internal/platform/thread-name.ts'
import { buildConsole, consoleAssets } from './build-console.ts'
import { bundleProgram } from './bundle-program.ts'
import { packCarriedFiles } from './carried-files.ts'
import { packBinary } from './pack-binary.ts'

const root = resolve(import.meta.dirname, '../..')
const dist = join(root, 'dist')
const work = join(dist, 'work')
const cache = join(root, 'node_modules', '.cache', 'svc-build')

/** Bundles programs that run in a thread or process. @returns files by the name of their asset */
const bundleApart = async (
  sources: Readonly<Record<string, string>>,
  kind: 'thread' | 'part',
): Promise<Readonly<Record<string, string>>> => {
  const assets: Record<string, string> = {}
  for (const [name, source] of Object.entries(sources)) {
    const file = `${name}-${kind}.js`
    await bundleProgram(join(root, 'internal', source), join(work, file))
    assets[file] = join(work, file)
  }
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
  await bundleProgram(join(root, 'cmd', 'svc', 'main.ts'), program)
  const threads = await bundleApart(THREAD_SOURCES, 'thread')
  const parts = await bundleApart(PART_SOURCES, 'part')
  const assets = { ...packCarriedFiles({ work, cache }), ...threads, ...parts, ...consoleAssets() }
  const bytes = await packBinary({ program, assets, work, output: join(dist, 'svc') })
  rmSync(work, { recursive: true, force: true })
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  process.stdout.write(`dist/svc: ${(bytes / 1e6).toFixed(0)} MB, built in ${seconds} s\n`)
}

await main()
