import type { ActionContext } from '@svc/sdk'
import postgres from 'postgres'
import { addPage, type Order, readCursor } from '../lib/store.ts'

const DEFAULT_API = 'https://api.example.com'

/** Reads page after page until there is none. A retry goes on behind the last page that was added. */
export const main = async (ctx: ActionContext) => {
  const { API_URL = DEFAULT_API, DATABASE_URL = '' } = ctx.variables
  const sql = postgres(DATABASE_URL, { max: 1, onnotice: () => undefined })
  try {
    let cursor = await readCursor(sql)
    let pages = 0
    for (;;) {
      const answer = await ctx.fetch(`${API_URL}/orders?after=${cursor}`)
      if (!answer.ok) throw new Error(`The API answered ${answer.status}.`)
      const page: Order[] = JSON.parse(await answer.text())
      const last = page.at(-1)
      if (last === undefined) return { cursor, pages }
      if (!(await addPage(sql, cursor, page))) throw new Error('Another attempt adds pages too.')
      cursor = last.id
      pages += 1
      ctx.log(`Added ${page.length} orders up to ${cursor}.`)
    }
  } finally {
    await sql.end()
  }
}
