/**
 * Versions of what callers read and change [wire 3.8]: an ETag is `updated_at` in quotes, or a hash of what has no such time.
 */
import { createHash } from 'node:crypto'
import { invalid } from '#core/error.ts'
import type { Reader, Statement } from '#store/database.ts'
import { type ContentMatch, type RowMatch, readContent } from '#store/row-match.ts'

export const etagOf = ({ updatedAt }: Readonly<{ updatedAt: number }>): { etag: string } => ({
  etag: quoted(updatedAt),
})

const quoted = (time: number): string => `"${new Date(time).toISOString()}"`

type ReadHeader = (name: string) => string | undefined

/** Reads `If-Match`. A tag of another form matches nothing. */
export const readMatch = (header: ReadHeader): RowMatch => {
  const ifMatch = header('if-match')
  if (ifMatch === undefined) return null
  if (ifMatch.trim() === '*') return 'any'
  return ifMatch.split(',').flatMap((text) => {
    const tag = text.trim()
    const time = Date.parse(tag.slice(1, -1))
    return Number.isFinite(time) && quoted(time) === tag ? [time] : []
  })
}

/** Reads `If-Match`, or `If-None-Match: *`. @throws {AppError} invalid: another form of the second, or both */
export const readMatchOrNone = (header: ReadHeader): RowMatch => {
  const ifNoneMatch = header('if-none-match')
  if (ifNoneMatch === undefined) return readMatch(header)
  if (ifNoneMatch.trim() === '*' && header('if-match') === undefined) return 'none'
  throw invalid('Send If-Match with an ETag, or If-None-Match with *.')
}

const tagOfContent = (content: string): string =>
  `"${createHash('sha256').update(content).digest('base64url')}"`

/** Reads the version of a content. Call it before the content is read for the answer, which then is never older than its version. */
export const readVersion = async (
  db: Pick<Reader, 'one'>,
  content: Statement,
): Promise<{ etag: string }> => ({ etag: tagOfContent((await readContent(db, content)) ?? '') })

/** Reads `If-Match` of a content. */
export const readContentMatch = (header: ReadHeader): ContentMatch => {
  const ifMatch = header('if-match')
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return (content) => tags.includes(tagOfContent(content))
}
