/**
 * Stores the files of a deployment, equal ones once. Contents are written before the deployment that references them. The
 * next deploy reuses the files of a failed one, or a sweep deletes them (store/apps/unused-sources.ts).
 */
import type { AppFiles } from '#bundle/app-files.ts'
import { chunksOf } from '#core/chunks-of.ts'
import {
  findMissingSources,
  findSourceSizes,
  findSources,
  insertSourceFile,
  type SourceFile,
} from '#store/apps/source-files.ts'
import { sourceNotes } from '#store/apps/unused-sources.ts'
import type { Deps } from '../deps.ts'
import { groupsOfSize } from '../portions/groups-of-size.ts'
import { hashParts } from '../portions/hash-parts.ts'
import { createSmallWrites } from '../portions/small-writes.ts'
import { takeTurn } from '../portions/take-turn.ts'
import { requireStorable } from './require-storable.ts'

const MAX_READ_FILES = 200
/** Bytes hashed or read before the event loop gets a turn. */
const MAX_TURN_BYTES = 4 * 1_024 * 1_024

const describeFiles = async (files: AppFiles): Promise<readonly SourceFile[]> => {
  const described: SourceFile[] = []
  let turn = 0
  for (const [path, content] of files) {
    described.push({ path, bytes: content.length, sha256: await hashParts([content]) })
    turn += content.length
    if (turn < MAX_TURN_BYTES) continue
    turn = 0
    await takeTurn()
  }
  return described
}

/**
 * Stores files.
 * @returns path, size and hash of each, for the deployment @throws {AppError} too_large: the database takes no such file
 */
export const keepSources = async (
  { db }: Pick<Deps, 'db'>,
  files: AppFiles,
): Promise<readonly SourceFile[]> => {
  const described = await describeFiles(files)
  const paths = new Map(described.map(({ sha256, path }) => [sha256, path]))
  const writes = createSmallWrites({ db })
  const hashes = [...paths.keys()]
  // before the missing ones are found, so that no sweep deletes another one after that
  await sourceNotes.renewNoted(db, hashes)
  for (const hash of await findMissingSources(db, hashes)) {
    const path = paths.get(hash) ?? ''
    const content = files.get(path) ?? new Uint8Array(0)
    requireStorable(db, `The file ${path}`, content.length)
    await writes.add([insertSourceFile(hash, content), sourceNotes.note(hash)], content.length)
  }
  await writes.end()
  return described
}

/** Reads contents by path. @throws {Error} a file is not stored */
export const loadSources = async (
  { db }: Pick<Deps, 'db'>,
  files: readonly Pick<SourceFile, 'path' | 'sha256'>[],
): Promise<Map<string, Uint8Array>> => {
  const hashes = [...new Set(files.map(({ sha256 }) => sha256))]
  const found = new Map<string, Uint8Array>()
  for (const named of chunksOf(hashes, MAX_READ_FILES)) {
    const sized = await findSourceSizes(db, named)
    for (const some of groupsOfSize(sized, ({ bytes }) => bytes, MAX_TURN_BYTES)) {
      const contents = await findSources(
        db,
        some.map(({ sha256 }) => sha256),
      )
      for (const [hash, content] of contents) found.set(hash, content)
      await takeTurn()
    }
  }
  return new Map(
    files.map(({ path, sha256 }) => {
      const content = found.get(sha256)
      if (content === undefined) throw new Error(`The source file ${path} is not in the database.`)
      return [path, content]
    }),
  )
}
