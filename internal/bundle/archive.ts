/** Reads a tar.gz upload into memory. Nothing is written to disk, and only plain files are accepted. */
import type { Extract } from 'tar-stream'
import { MIB } from '#core/byte-units.ts'
import { type AppError, unprocessable } from '#core/error.ts'
import {
  type AppFiles,
  createFileCollector,
  type FileCollector,
  MAX_BYTES,
  MAX_VENDORED_BYTES,
  pathFault,
} from './app-files.ts'
import { entrySize, readEntry, unpack } from './read-entry.ts'

/** Unpacked bytes: the files plus headers, padding and directories. */
const MAX_UNPACKED = MAX_BYTES + MAX_VENDORED_BYTES + 64 * 1_024 * 1_024

const refuse = (message: string, cause?: unknown): AppError =>
  unprocessable(message, { code: 'bad_bundle', cause })

/** Unpacks an uploaded archive. @throws {AppError} unprocessable `bad_bundle` */
export const readArchive = async (archive: Uint8Array): Promise<AppFiles> => {
  const collector = createFileCollector()
  await unpack(archive, {
    read: (entries) => readEntries(entries, collector),
    bounded,
    damaged: (cause) =>
      refuse(
        'The bundle is not a complete tar.gz archive. Create it with: tar -czf bundle.tar.gz -C <app folder> .',
        cause,
      ),
  })
  if (collector.files.size === 0) throw refuse('The bundle contains no files.')
  return collector.files
}

/** Stops a decompression bomb while it unpacks. Harmless files of equal lines also pack 1000 to 1. */
const bounded = async function* (source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let unpacked = 0
  for await (const chunk of source) {
    unpacked += chunk.length
    if (unpacked > MAX_UNPACKED) {
      throw refuse(`The bundle unpacks to more than ${MAX_UNPACKED / MIB} MiB.`)
    }
    yield chunk
  }
}

/** A regular expression would take minutes for a hostile name of a million slashes. */
const withoutSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Whether tar packed it with the folder of an app that is a git repository, or has one as a submodule. */
const isOfRepository = (path: string): boolean => path.split('/').includes('.git')

const readEntries = async (
  entries: Extract,
  { reserve, add }: Pick<FileCollector, 'reserve' | 'add'>,
): Promise<void> => {
  for await (const entry of entries) {
    const { name, type } = entry.header
    const size = entrySize(entry.header)
    const path = name.replace(/^\.\/+/, '')
    if (isOfRepository(path) && pathFault(withoutSlashes(path)) === null) {
      entry.resume()
      continue
    }
    if (type === 'directory') {
      const fault = pathFault(withoutSlashes(path) || 'app')
      if (fault !== null && path !== '.') throw refuse(`The folder ${quote(name)} ${fault}.`)
      entry.resume()
      continue
    }
    if (type !== 'file' && type !== 'contiguous-file') {
      throw refuse(
        `${quote(name)} is a ${type ?? 'special file'}; an app contains plain files only.`,
      )
    }
    reserve([{ path, size }])
    add(path, await readEntry(entry))
  }
}

const quote = (name: string): string => JSON.stringify(name.slice(0, 200))
