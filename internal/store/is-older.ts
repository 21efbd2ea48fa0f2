import type { Statement } from './database.ts'
import { SQL_NOW, sql } from './sql.ts'

/** A condition on a table with a time `at`: the row is older than `days`. */
export const isOlder = (days: number): Statement => sql`at < ${SQL_NOW} - ${days} * 86400000`
