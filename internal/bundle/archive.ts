/** Reads a tar.gz upload into memory; nothing of it touches the disk, and nothing but plain files passes. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import { AppError } from '#core/error.ts'
import { type AppFiles, createFileCollector, MAX_BYTES } from './app-files.ts'

/** Beyond this an archive was made to be large, not to be small. */
const MAX_RATIO = 100
/** Headers, padding and directories beside the files. */
const MAX_UNPACKED = MAX_BYTES + 4 * 1_024 * 1_024

const refuse = (message: string, cause?: unknown): AppError =>
  new AppError('unprocessable', message, { code: 'bad_bundle', cause })

/** @throws {AppError} unprocessable */
export const readArchive = async (archive: Uint8Array): Promise<AppFiles> => {
  const collector = createFileCollector()
  const tar = extract()
  const reading = readEntries(tar, collector.add)
  try {
    await Promise.all([
      pipeline(Readable.from([archive]), createGunzip(), bounded(archive.length), tar),
      reading,
    ])
  } catch (error) {
    if (error instanceof AppError) throw error
    throw refuse(
      'The bundle is no tar.gz archive. Make it with: tar -czf bundle.tar.gz -C <app folder> .',
      error,
    )
  }
  return collector.files
}

/** Stops a bomb while it unpacks. */
const bounded = (packed: number) =>
  async function* limit(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let unpacked = 0
    for await (const chunk of source) {
      unpacked += chunk.length
      const ratio = unpacked > 1_048_576 && unpacked > packed * MAX_RATIO
      if (unpacked > MAX_UNPACKED || ratio) throw refuse('The bundle unpacks to too many bytes.')
      yield chunk
    }
  }

const readEntries = async (
  entries: Extract,
  add: (path: string, bytes: Uint8Array) => void,
): Promise<void> => {
  for await (const entry of entries) {
    const { name, type } = entry.header
    if (type === 'directory') {
      entry.resume()
      continue
    }
    if (type !== 'file' && type !== 'contiguous-file') {
      throw refuse(`${name} is a ${type ?? 'special file'}; an app holds plain files only.`)
    }
    add(name.replace(/^\.\//, ''), await buffer(entry))
  }
}
