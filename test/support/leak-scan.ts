/**
 * Watches every response and log line of a test app. A credential may only appear once, in the response that created it.
 * What the database stores about secrets must not appear at all [access 1.5].
 */
import type { Database } from '#store/database.ts'
import { raw, sql } from '#store/sql.ts'

export const CREDENTIAL = /svc[kvlsid]?_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/g
/** The device sends its own codes until it has its token, and the page of an invite repeats the token from its address. */
const MAY_SHOW = /^\/(?:api\/auth\/(?:device\/|accept-invite)|invite\?)/
const CREATED = 201

/** Columns that hold hashes, wrapped keys and ciphertexts. */
const KEPT: readonly (readonly [table: string, column: string])[] = [
  ['users', 'password_hash'],
  ['workspaces', 'wrapped_key'],
  ['tokens', 'hash'],
  ['sessions', 'hash'],
  ['invites', 'hash'],
  ['device_logins', 'hash'],
  ['consumer_keys', 'hash'],
  ['api_keys', 'hash'],
  ['relay_sessions', 'code_hash'],
  ['view_tokens', 'hash'],
  ['variables', 'value'],
  ['resources', 'value'],
  ['git_sources', 'auth'],
]

export type SeenAnswer = Readonly<{ method: string; path: string; status: number; text: string }>

export interface LeakScan {
  answer(seen: SeenAnswer): void
  logged(line: string): void
  /** @throws {Error} lists each leak, without its secret */
  finish(db: Database): Promise<void>
}

export const createLeakScan = (): LeakScan => {
  const shown = new Set<string>()
  const answers: SeenAnswer[] = []
  const lines: string[] = []
  const leaks: string[] = []

  const judge = (place: string, text: string, mayBeNew: boolean, own: readonly string[] = []) => {
    // a response may contain it twice, alone and within an address
    for (const credential of new Set(text.match(CREDENTIAL) ?? [])) {
      if (own.includes(credential)) continue
      if (!mayBeNew || shown.has(credential)) {
        leaks.push(`${place} shows ${credential.slice(0, 13)}…`)
      }
      shown.add(credential)
    }
  }

  return {
    answer: (seen) => {
      answers.push(seen)
      const { method, path, status, text } = seen
      // the page of a shared job links to its own parts
      const own = path.match(CREDENTIAL) ?? []
      if (!MAY_SHOW.test(path)) judge(`${status} ${method} ${path}`, text, status === CREATED, own)
    },
    logged: (line) => {
      lines.push(line)
      judge('The log', line, false)
    },
    finish: async (db) => {
      for (const [table, column] of KEPT) {
        const rows = await db.all(
          sql`SELECT DISTINCT ${raw(column)} AS kept FROM ${raw(table)}
            WHERE length(${raw(column)}) > 20`,
        )
        for (const { kept } of rows) {
          const secret = String(kept)
          for (const { method, path, text } of answers) {
            if (text.includes(secret)) leaks.push(`${method} ${path} shows ${table}.${column}`)
          }
          if (lines.some((line) => line.includes(secret))) {
            leaks.push(`The log shows ${table}.${column}`)
          }
        }
      }
      if (leaks.length > 0) throw new Error(`Secrets leaked:\n${leaks.join('\n')}`)
    },
  }
}
