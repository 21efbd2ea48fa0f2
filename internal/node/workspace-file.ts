/** The file of a workspace on disk: lines of JSON, compressed with gzip. It appears under its name once it is complete. */
import { randomBytes } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip, createGzip } from 'node:zlib'
import { conflict, invalid, notFound } from '#core/error.ts'
import { HOUR_MS } from '#core/time-units.ts'
import { publishFile } from '#disk/publish-file.ts'
import type { OpenLines } from '#service/workspace-copy/read-file.ts'

/** Characters. A row contains at most a few blobs of 64 MiB in base64. */
const LONGEST_LINE = 400_000_000

const DRAFT = /\.svc-export-[0-9a-f]{12}\.part$/
/** Milliseconds after which a draft that does not grow belongs to an export that was killed. */
const LEFT_AFTER_MS = HOUR_MS

/** Removes the drafts of killed exports from a folder. */
const removeLeftDrafts = (folder: string): void => {
  for (const name of readdirSync(folder).filter((each) => DRAFT.test(each))) {
    const draft = join(folder, name)
    const { mtimeMs = Number.POSITIVE_INFINITY } = statSync(draft, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - LEFT_AFTER_MS) rmSync(draft, { force: true })
  }
}

/** Writes blocks of text, readable only by the owner. @throws {AppError} the name is taken, or its folder is missing */
export const writeWorkspaceFile = async (
  path: string,
  blocks: AsyncIterable<string>,
): Promise<void> => {
  if (existsSync(path)) throw conflict(`${path} exists already. Name a new file.`)
  if (!existsSync(dirname(path))) {
    throw invalid(`There is no folder ${dirname(path)}. Create it, or name another.`)
  }
  removeLeftDrafts(dirname(path))
  // an existing file would keep its owner and its mode
  const draft = `${path}.svc-export-${randomBytes(6).toString('hex')}.part`
  try {
    const out = createWriteStream(draft, { flags: 'wx', mode: 0o600 })
    await pipeline(blocks, createGzip({ level: 6 }), out)
    publishFile(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  const parts: string[] = []
  let length = 0
  for await (const chunk of chunks) {
    const lines = decoder.write(chunk).split('\n')
    const rest = lines.pop() ?? ''
    for (const line of lines) {
      parts.push(line)
      yield parts.join('')
      parts.length = 0
      length = 0
    }
    parts.push(rest)
    length += rest.length
    if (length > LONGEST_LINE) throw invalid('The file has a line that is too long.')
  }
  const last = parts.join('')
  if (last !== '') yield last
}

/** Reads the lines of a file, from the beginning at each call. @throws {AppError} not_found */
export const workspaceFileLines = (path: string): OpenLines => {
  if (!existsSync(path)) throw notFound(`File "${path}"`)
  return async function* readLines() {
    const unpacked = createGunzip()
    // An error ends the loop over the lines, which throws it. If the caller stops early, there is no such loop, and `compose`
    // would let the error of the destroyed stream end the process.
    pipeline(createReadStream(path), unpacked).catch(() => undefined)
    unpacked.on('error', () => undefined)
    try {
      yield* splitLines(unpacked)
    } catch (error) {
      if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
        throw invalid('The file is not complete, or no file of svc workspace export.', {
          cause: error,
        })
      }
      throw error
    }
  }
}
