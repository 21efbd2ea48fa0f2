/**
 * Stores the texts of drafts. Those of a large draft are divided into parts, which are written and read a few at a time, because
 * nothing else runs meanwhile. The parts of a save are written before the draft lists them, and a save that loses some of them
 * to a concurrent one writes them again.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AppAddress } from '#core/app-address.ts'
import { jsonParts } from '#core/json/text-parts.ts'
import {
  type DraftParts,
  deleteUnlistedParts,
  findDraftParts,
  insertDraftPart,
  lacksDraftParts,
  listDraftParts,
} from '#store/apps/draft-parts.ts'
import type { NewDraft } from '#store/apps/drafts.ts'
import type { Row, Statement, WriteOptions } from '#store/database.ts'
import type { Deps } from '../deps.ts'
import { createPace } from '../portions/pace.ts'
import { parseJson } from '../portions/parse-json.ts'
import { createSmallWrites } from '../portions/small-writes.ts'
import { takeTurn } from '../portions/take-turn.ts'

export type TextFiles = readonly (readonly [path: string, text: string])[]

export type DividedTexts = Pick<NewDraft, 'filesJson'> & Readonly<{ parts: DraftParts }>

/** Characters of JSON of a draft that is stored as one value. */
const MAX_UNDIVIDED = 131_072
/** Characters of a text in one part. */
const MAX_PART = 131_072
/** Bytes of one read, which takes about 5 ms. */
const MAX_AT_ONCE = 1_048_576

type Divided = readonly [path: string, parts: readonly string[]]

/** Writes the texts as they are stored, with turns for other work. */
export const divideTexts = async (files: TextFiles): Promise<DividedTexts> => {
  const pace = createPace()
  const divided: Divided[] = []
  let size = 0
  for (const [path, text] of files) {
    const parts: string[] = []
    for (const part of jsonParts(text, MAX_PART)) {
      parts.push(part)
      size += part.length
      await pace(part.length)
    }
    divided.push([path, parts])
  }
  if (size <= MAX_UNDIVIDED) return { filesJson: JSON.stringify(files), parts: new Map() }
  return withHashes(divided)
}

const withHashes = async (divided: readonly Divided[]): Promise<DividedTexts> => {
  const pace = createPace()
  const contents = new Map<string, string>()
  const listed: Divided[] = []
  for (const [path, parts] of divided) {
    const hashes: string[] = []
    for (const part of parts) {
      const hash = createHash('sha256').update(part).digest('hex')
      contents.set(hash, part)
      hashes.push(hash)
      await pace(part.length)
    }
    listed.push([path, hashes])
  }
  return { filesJson: JSON.stringify({ parts: listed }), parts: contents }
}

/** Writes the parts that the database does not have. @returns whether it has any of the draft */
const writeParts = async (
  { db }: Pick<Deps, 'db'>,
  key: AppAddress,
  parts: DraftParts,
): Promise<boolean> => {
  const known = new Set((await listDraftParts(db, key)).map(({ hash }) => hash))
  const writes = createSmallWrites({ db })
  for (const [hash, content] of parts) {
    if (!known.has(hash)) await writes.add([insertDraftPart(key, hash, content)], content.length)
  }
  await writes.end()
  return known.size + parts.size > 0
}

export type DraftWrite = AppAddress &
  Readonly<{
    parts: DraftParts
    /** Writes the draft and returns its columns; requires its parts. */
    saved: Statement
    /** The entry in the audit log. */
    audit: Statement
  }>

/** Saves of a draft, each of which lost a part to another. */
const TRIES = 5

/**
 * Writes a draft after its parts.
 * @returns its columns; undefined if its statement wrote nothing
 * @throws {AppError} rate_limited `storage_full`
 */
export const writeDraft = async (
  deps: Pick<Deps, 'db' | 'storage'>,
  { parts, saved, audit, ...key }: DraftWrite,
  options?: Pick<WriteOptions, 'retry'>,
): Promise<Row | undefined> => {
  await deps.storage.pass(key.ws)
  const batch = { lacking: lacksDraftParts(key, [...parts.keys()]), saved, audit }
  for (let tried = 1; ; tried += 1) {
    const hasParts = await writeParts(deps, key, parts)
    const written = await deps.db.write(batch, options)
    if (written.lacking.rows.length > 0 && tried < TRIES) continue
    if (hasParts) await deps.db.write([deleteUnlistedParts(key)], { retry: true })
    return written.saved.rows[0]
  }
}

const pairs = z.array(z.tuple([z.string(), z.string()]))
const lists = z.object({ parts: z.array(z.tuple([z.string(), z.array(z.string())])) })

/** Reads the texts of a draft. @returns null if a concurrent save has replaced its parts */
export const loadTexts = async (
  { db }: Pick<Deps, 'db'>,
  key: AppAddress,
  filesJson: string,
): Promise<TextFiles | null> => {
  const stored = await parseJson(filesJson)
  if (Array.isArray(stored)) return pairs.parse(stored)
  const parts = await readParts(db, key)
  const pace = createPace()
  const files: (readonly [string, string])[] = []
  for (const [path, hashes] of lists.parse(stored).parts) {
    const texts: string[] = []
    for (const hash of hashes) {
      const part = parts.get(hash)
      if (part === undefined) return null
      texts.push(z.string().parse(JSON.parse(`"${part}"`)))
      await pace(part.length)
    }
    files.push([path, texts.join('')])
  }
  return files
}

const readParts = async (db: Deps['db'], key: AppAddress): Promise<DraftParts> => {
  const parts = new Map<string, string>()
  let hashes: string[] = []
  let size = 0
  const read = async (): Promise<void> => {
    for (const [hash, part] of await findDraftParts(db, key, hashes)) parts.set(hash, part)
    hashes = []
    size = 0
    await takeTurn()
  }
  for (const { hash, bytes } of await listDraftParts(db, key)) {
    hashes.push(hash)
    size += bytes
    if (size >= MAX_AT_ONCE) await read()
  }
  if (hashes.length > 0) await read()
  return parts
}
