/** Packs of repositories that clients push to, as files of this server. */
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type PushFolder, runPushGit } from './push-repository.ts'

export type PackFile = Readonly<{ name: string; path: string; bytes: number }>

const PACK = /^pack-([0-9a-f]{40})\.pack$/
/** The prefix of packs that are being written. */
const UNFINISHED = 'tmp_svc_'

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    // git has not created it yet
    return []
  }
}

/** The packs in a folder of objects. */
export const listPackFiles = (objects: string): readonly PackFile[] => {
  const folder = join(objects, 'pack')
  return namesIn(folder).flatMap((file) => {
    const name = PACK.exec(file)?.[1]
    if (name === undefined) return []
    const path = join(folder, file)
    return [{ name, path, bytes: statSync(path).size }]
  })
}

/** Names of the packs that git can read in a repository: those with an index. */
export const listIndexedPacks = (repository: string): ReadonlySet<string> => {
  const files = new Set(namesIn(join(repository, 'objects', 'pack')))
  const packs = [...files].flatMap((file) => PACK.exec(file)?.[1] ?? [])
  return new Set(packs.filter((name) => files.has(`pack-${name}.idx`)))
}

const fill = async (file: FileHandle, part: Uint8Array): Promise<number> => {
  let at = 0
  for (;;) {
    const { bytesRead } = await file.read(part, at, part.length - at, null)
    at += bytesRead
    if (bytesRead === 0 || at === part.length) return at
  }
}

/** Reads a file in parts of `bytes` bytes; only the last part may be shorter. */
export async function* readParts(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    for (;;) {
      const part = new Uint8Array(bytes)
      const size = await fill(file, part)
      if (size > 0) yield part.subarray(0, size)
      if (size < bytes) return
    }
  } finally {
    await file.close()
  }
}

const writeAll = async (file: FileHandle, parts: AsyncIterable<Uint8Array>): Promise<void> => {
  try {
    for await (const part of parts) await file.writeFile(part)
  } finally {
    await file.close()
  }
}

/**
 * Adds a pack to a repository; git checks all of its content.
 * @throws {Error} the content does not match the pack's name
 */
export const addPack = async (
  folder: PushFolder,
  repository: string,
  { name, parts }: Readonly<{ name: string; parts: AsyncIterable<Uint8Array> }>,
): Promise<void> => {
  const packs = join(repository, 'objects', 'pack')
  const temporary = join(packs, `${UNFINISHED}${randomUUID()}`)
  const pack = `${temporary}.pack`
  const index = `${temporary}.idx`
  try {
    await writeAll(await open(pack, 'wx', 0o400), parts)
    const args = ['--git-dir', repository, 'index-pack', '-o', index, pack]
    const { code, stdout, stderr } = await runPushGit(folder, args)
    const hash = new TextDecoder().decode(stdout).trim()
    if (code !== 0 || hash !== name) {
      throw new Error(`The pack ${name} of a repository is damaged: ${hash}${stderr}`)
    }
    // the pack comes first, because git looks for the index first
    await rename(pack, join(packs, `pack-${name}.pack`))
    await rename(index, join(packs, `pack-${name}.idx`))
  } finally {
    for (const path of [pack, index, `${temporary}.rev`]) rmSync(path, { force: true })
  }
}

/** Deletes files of a process that was killed while it added a pack. */
export const removeUnfinished = (repository: string): void => {
  const packs = join(repository, 'objects', 'pack')
  for (const name of namesIn(packs)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(packs, name), { force: true })
  }
}
