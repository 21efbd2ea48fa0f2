/**
 * Brings this server's copy of a repository up to date with the database, and stores the packs of pushes in the database.
 *
 * Guarantee: a copy that is marked with a push has the refs of that push and all objects that they need. A process that is
 * killed in between leaves an older mark, so the next use begins again.
 */

import { join } from 'node:path'
import type { AppAddress } from '#core/app-address.ts'
import { AppError } from '#core/error.ts'
import {
  type PushFolder,
  prepareRepository,
  readMark,
  removeCopy,
  removeLocks,
  repositoryOf,
  writeMark,
} from '#git/push-repository.ts'
import {
  addPack,
  listIndexedPacks,
  listPackFiles,
  readParts,
  removeUnfinished,
} from '#git/repository-packs.ts'
import { setRefs } from '#git/repository-refs.ts'
import {
  findPackChunk,
  insertPack,
  insertPackChunk,
  listPacks,
  type PackKey,
  type Repository,
  type RepositoryKey,
} from '#store/apps/git-repositories.ts'
import { DatabaseError } from '#store/database.ts'
import type { Deps } from '../deps.ts'

type CopyDeps = Pick<Deps, 'db'>

/** Bytes of one write, during which others wait. sqld accepts values of up to 5 MB. */
const CHUNK_BYTES = 1_048_576

async function* readChunks({ db }: CopyDeps, pack: PackKey): AsyncGenerator<Uint8Array> {
  for (let seq = 0; ; seq += 1) {
    const chunk = await findPackChunk(db, pack, seq)
    if (chunk === null) return
    yield chunk
  }
}

export type Copy = Readonly<{ folder: PushFolder; name: AppAddress }>

/** Whether a copy has the state of the last push. */
export const isUpToDate = ({ folder, name }: Copy, { id, pushId }: Repository): boolean => {
  const mark = readMark(repositoryOf(folder, name))
  return mark?.id === id && mark.pushId === pushId
}

/**
 * The caller must ensure that no other task changes the copy meanwhile. A copy that git cannot use is made again.
 * @throws {AppError} unavailable
 */
export const bringUpToDate = async (
  deps: CopyDeps,
  copy: Copy,
  known: Repository,
): Promise<void> => {
  try {
    await update(deps, copy, known)
  } catch (error) {
    if (error instanceof AppError || error instanceof DatabaseError) throw error
    removeCopy(repositoryOf(copy.folder, copy.name))
    await update(deps, copy, known)
  }
}

const update = async (
  deps: CopyDeps,
  { folder, name }: Copy,
  { id, pushId, refs }: Repository,
): Promise<void> => {
  const repository = repositoryOf(folder, name)
  await prepareRepository(folder, name, id)
  removeUnfinished(repository)
  removeLocks(repository)
  const indexed = listIndexedPacks(repository)
  const files = listPackFiles(join(repository, 'objects'))
  const sizes = new Map(files.map((file) => [file.name, file.bytes]))
  const key = { ws: name.ws, repositoryId: id }
  for (const { name: pack, bytes } of await listPacks(deps.db, key)) {
    if (indexed.has(pack) && sizes.get(pack) === bytes) continue
    const parts = readChunks(deps, { ...key, name: pack })
    await addPack(folder, repository, { name: pack, parts })
  }
  await setRefs(folder, repository, refs)
  writeMark(repository, { id, pushId })
}

/**
 * Stores those packs of a folder of objects that the database does not have.
 * @param onBegin called before the first is stored, with the size of all in bytes
 * @returns the names of all packs in the folder
 */
export const storePacks = async (
  { db }: CopyDeps,
  key: RepositoryKey,
  { objects, onBegin }: Readonly<{ objects: string; onBegin: (bytes: number) => void }>,
): Promise<readonly string[]> => {
  const files = listPackFiles(objects)
  const stored = new Set((await listPacks(db, key)).map(({ name }) => name))
  const missing = files.filter(({ name }) => !stored.has(name))
  if (missing.length > 0) onBegin(missing.reduce((sum, { bytes }) => sum + bytes, 0))
  for (const { name, path, bytes } of missing) {
    const pack = { ...key, name }
    await db.write([insertPack({ ...pack, bytes })], { retry: true })
    let seq = 0
    for await (const part of readParts(path, CHUNK_BYTES)) {
      await db.write([insertPackChunk(pack, seq, part)], { retry: true })
      seq += 1
    }
  }
  return files.map(({ name }) => name)
}
