/** A separate process that writes rows to a database file: `node write-rows.ts <url> <name> <count>`. */
import process from 'node:process'
import { openDatabase } from '#store/open-database.ts'
import { sql } from '#store/sql.ts'

const [url = '', name = '', count = '0'] = process.argv.slice(2)
const db = await openDatabase({ url })
process.stdout.write('ready\n')
for (let index = 0; index < Number(count); index += 1) {
  await db.write([
    sql`INSERT INTO items (id) VALUES (${`${name}-${index}`})`,
    sql`UPDATE items SET n = n + 1 WHERE id = 'counter'`,
  ])
  process.stdout.write(`${index}\n`)
}
await db.close()
