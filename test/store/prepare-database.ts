/** A separate process that migrates a database file and leaves a mark in it: `node prepare-database.ts <url> <mark>`. */
import process from 'node:process'
import { migrate } from '#store/migrate.ts'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'

const [url = '', mark = ''] = process.argv.slice(2)
const db = await openDatabase({ url })
await migrate(db)
await db.write([sql`INSERT INTO meta (key, value) VALUES (${`mark-${mark}`}, ${mark})`])
await db.close()
