/** Versions of what callers read and change: an ETag is `updated_at` in quotes [wire 3.8]. */
import { invalid } from '#core/error.ts'
import type { RowMatch } from '#store/row-match.ts'

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
