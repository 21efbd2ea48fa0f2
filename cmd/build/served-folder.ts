/**
 * Builds a folder of files that the server serves: each is compressed with gzip and Brotli, and manifest.json lists
 * them. It is rebuilt only if its sources have changed.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { z } from 'zod'
import type { ServedManifest } from '../../internal/http/surfaces/served-files.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
  '.tgz': 'application/gzip',
}

/** Hashes sources. @param paths below root; folders and tests are skipped */
export const hashSources = (root: string, paths: readonly string[]): string => {
  const hash = createHash('sha256')
  for (const path of paths.toSorted()) {
    if (!statSync(join(root, path)).isFile() || path.endsWith('.test.ts')) continue
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

const pressBrotli = promisify(brotliCompress)
const pressGzip = promisify(gzip)

/** @returns the size of each file in bytes, compressed with Brotli */
const compressAll = async (
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const sizes = new Map<string, number>()
  const most = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  await Promise.all(
    names.map(async (name) => {
      const content = readFileSync(join(folder, name))
      const [br, gz] = await Promise.all([
        pressBrotli(content, most),
        pressGzip(content, { level: 9 }),
      ])
      writeFileSync(join(folder, `${name}.br`), br)
      writeFileSync(join(folder, `${name}.gz`), gz)
      rmSync(join(folder, name))
      sizes.set(name, br.length)
    }),
  )
  return sizes
}

const toManifest = (folder: string, names: readonly string[]): ServedManifest => ({
  files: Object.fromEntries(
    names.toSorted().map((name) => {
      const content = readFileSync(join(folder, name))
      const sha256 = createHash('sha256').update(content).digest('base64url')
      const type = TYPES[extname(name)]
      if (type === undefined) throw new Error(`No content type is known for ${name}.`)
      return [
        name,
        { type, etag: `"${sha256.slice(0, 22)}"`, isHashed: name.startsWith('assets/') },
      ]
    }),
  ),
})

/** What a build reports about its result; manifest.json keeps it for builds that are already up to date. */
export type Facts = Readonly<Record<string, number>>
export type BuiltFolder = Readonly<{
  facts: Facts
  /** Where the modules inside come from (licenses/places.ts). */
  places: readonly string[]
  isFresh: boolean
}>

const builtShape = z.looseObject({
  source: z.string(),
  facts: z.record(z.string(), z.number()),
  places: z.array(z.string()),
})

/** Returns the built folder if it matches the sources; null otherwise. */
const findBuilt = (folder: string, source: string): BuiltFolder | null => {
  const path = join(folder, 'manifest.json')
  if (!existsSync(path)) return null
  const built = builtShape.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  if (!built.success || built.data.source !== source) return null
  return { facts: built.data.facts, places: built.data.places, isFresh: false }
}

/** The number of tries, because a concurrent build may move its result into place between two steps of this one. */
const MAX_TRIES = 5

/**
 * Moves a finished build into place. Tests may build at the same time, so folders move as a
 * whole and no reader sees a partial one.
 * @returns the result of a concurrent build of the same sources, which is kept because it may be in use; else null
 */
const putInPlace = (draft: string, folder: string, source: string): BuiltFolder | null => {
  const aside = `${draft}-before`
  const already = findBuilt(folder, source)
  if (already !== null) return already
  for (let attempt = 1; ; attempt += 1) {
    if (existsSync(folder)) moveIfThere(folder, aside)
    rmSync(aside, { recursive: true, force: true })
    try {
      renameSync(draft, folder)
      return null
    } catch (error) {
      const built = findBuilt(folder, source)
      if (built !== null) return built
      if (attempt === MAX_TRIES) throw error
    }
  }
}

/** Moves a folder unless a concurrent build has moved it. */
const moveIfThere = (from: string, to: string): void => {
  try {
    renameSync(from, to)
  } catch (error) {
    if (existsSync(from)) throw error
  }
}

const filesIn = (folder: string): readonly string[] =>
  globSync('**/*', { cwd: folder })
    .filter((name) => statSync(join(folder, name)).isFile())
    .toSorted()

export type FolderBuild = Readonly<{
  folder: string
  /** Hash of the sources. */
  source: string
  /** Writes the files into an empty folder. */
  write: (draft: string) => Promise<
    Readonly<{
      /** Where the modules inside come from (licenses/places.ts). */
      places: readonly string[]
      /** Makes the reported facts from the compressed sizes. */
      toFacts: (sizes: ReadonlyMap<string, number>) => Facts
    }>
  >
}>

/** Builds the folder unless it is up to date. */
export const buildServedFolder = async ({
  folder,
  source,
  write,
}: FolderBuild): Promise<BuiltFolder> => {
  const built = findBuilt(folder, source)
  if (built !== null) return built
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}-`)
  try {
    const { places, toFacts } = await write(draft)
    const names = filesIn(draft)
    const manifest = toManifest(draft, names)
    const facts = toFacts(await compressAll(draft, names))
    const all = { ...manifest, source, facts, places }
    writeFileSync(join(draft, 'manifest.json'), JSON.stringify(all))
    return putInPlace(draft, folder, source) ?? { facts, places, isFresh: true }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Returns the files of a built folder by asset name in the binary. */
export const servedAssets = (folder: string, prefix: string): Readonly<Record<string, string>> =>
  Object.fromEntries(filesIn(folder).map((name) => [`${prefix}/${name}`, join(folder, name)]))
