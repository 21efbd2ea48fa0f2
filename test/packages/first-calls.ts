/** One action per package: it loads the package and makes a first call that needs no server. */

export type FirstCall = Readonly<{
  code: string
  /** The result of the action. */
  result: unknown
}>

const main = (imports: string, body: string, result: unknown): FirstCall => ({
  code: `${imports}\nexport const main = async () => { ${body} }\n`,
  result,
})

const DATA: Readonly<Record<string, FirstCall>> = {
  'drizzle-orm': main(
    `import { eq } from 'drizzle-orm'
import { QueryBuilder, pgTable, serial, text } from 'drizzle-orm/pg-core'`,
    `const orders = pgTable('orders', { id: serial('id').primaryKey(), name: text('name') })
    return new QueryBuilder().select({ id: orders.id }).from(orders).where(eq(orders.name, 'seven')).toSQL()`,
    { sql: 'select "id" from "orders" where "orders"."name" = $1', params: ['seven'] },
  ),
  '@libsql/client': main(
    `import { createClient } from '@libsql/client/web'`,
    `const client = createClient({ url: 'https://db.example.com', fetch: async () => { throw new Error('no network') } })
    return await client.execute('SELECT 1').catch((error) => error.message)`,
    'no network',
  ),
  postgres: main(
    `import postgres from 'postgres'`,
    `const sql = postgres({ host: 'db.example.com', max: 1 })
    const { strings, args } = sql\`SELECT \${7}\`
    return [strings.join('?'), args]`,
    ['SELECT ?', [7]],
  ),
  mysql2: main(
    `import mysql from 'mysql2/promise'`,
    `return mysql.format('SELECT * FROM ?? WHERE name = ?', ['orders', "o'clock"])`,
    "SELECT * FROM `orders` WHERE name = 'o\\'clock'",
  ),
}

const CLOUD: Readonly<Record<string, FirstCall>> = {
  stripe: main(
    `import Stripe from 'stripe'`,
    `const stripe = new Stripe('sk_test_1')
    const payload = JSON.stringify({ id: 'evt_1', object: 'event' })
    const header = await stripe.webhooks.generateTestHeaderStringAsync({ payload, secret: 'whsec' })
    return (await stripe.webhooks.constructEventAsync(payload, header, 'whsec')).id`,
    'evt_1',
  ),
  openai: main(
    `import OpenAI from 'openai'`,
    `const client = new OpenAI({ apiKey: 'key', fetch: async (url) => Response.json({ url: String(url), data: [] }) })
    return (await client.models.list()).body.url`,
    'https://api.openai.com/v1/models',
  ),
  '@anthropic-ai/sdk': main(
    `import Anthropic from '@anthropic-ai/sdk'`,
    `const client = new Anthropic({ apiKey: 'key', fetch: async (url) => Response.json({ id: String(url) }) })
    return (await client.messages.create({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'hi' }] })).id`,
    'https://api.anthropic.com/v1/messages',
  ),
  undici: main(
    `import { MockAgent, request } from 'undici'`,
    `const dispatcher = new MockAgent()
    dispatcher.disableNetConnect()
    dispatcher.get('https://api.example.com').intercept({ path: '/orders' }).reply(200, { order: 7 })
    const { body } = await request('https://api.example.com/orders', { dispatcher })
    return await body.json()`,
    { order: 7 },
  ),
}

const DOCUMENTS: Readonly<Record<string, FirstCall>> = {
  'pdf-lib': main(
    `import { PDFDocument } from 'pdf-lib'`,
    `const made = await PDFDocument.create()
    made.addPage([200, 100])
    return (await PDFDocument.load(await made.save())).getPageCount()`,
    1,
  ),
  unpdf: main(
    `import { PDFDocument, StandardFonts } from 'pdf-lib'
import { extractText } from 'unpdf'`,
    `const made = await PDFDocument.create()
    made.addPage([300, 100]).drawText('Order 7', { font: await made.embedFont(StandardFonts.Helvetica) })
    const { text } = await extractText(await made.save(), { mergePages: true })
    return text`,
    'Order 7',
  ),
  exceljs: main(
    `import ExcelJS from 'exceljs'`,
    `const book = new ExcelJS.Workbook()
    book.addWorksheet('Orders').addRow(['seven', 7])
    const again = new ExcelJS.Workbook()
    await again.xlsx.load(await book.xlsx.writeBuffer())
    return again.getWorksheet('Orders').getRow(1).values.slice(1)`,
    ['seven', 7],
  ),
  xlsx: main(
    `import * as XLSX from 'xlsx'`,
    `const book = XLSX.utils.book_new()
    XLSX.utils.book_append_sheet(book, XLSX.utils.json_to_sheet([{ order: 7 }]), 'Orders')
    const again = XLSX.read(XLSX.write(book, { type: 'array', bookType: 'xlsx' }))
    return XLSX.utils.sheet_to_json(again.Sheets.Orders)`,
    [{ order: 7 }],
  ),
  cheerio: main(
    `import * as cheerio from 'cheerio'`,
    `return cheerio.load('<ul><li>one<li class=b>two</ul>')('.b').text()`,
    'two',
  ),
  'csv-parse': main(
    `import { parse } from 'csv-parse/sync'`,
    `return parse('id,name\\n7,"a, b"', { columns: true })`,
    [{ id: '7', name: 'a, b' }],
  ),
  handlebars: main(
    `import Handlebars from 'handlebars'`,
    `return Handlebars.compile('{{#each names}}{{this}};{{/each}}')({ names: ['a', '<b>'] })`,
    'a;&lt;b&gt;;',
  ),
  nodemailer: main(
    `import nodemailer from 'nodemailer'`,
    `const mailer = nodemailer.createTransport({ jsonTransport: true })
    const { message } = await mailer.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'Order', text: '7' })
    return JSON.parse(message).subject`,
    'Order',
  ),
}

const LANGUAGE: Readonly<Record<string, FirstCall>> = {
  zod: main(
    `import { z } from 'zod'`,
    `return z.object({ order: z.coerce.number() }).safeParse({ order: '7' })`,
    { success: true, data: { order: 7 } },
  ),
  lodash: main(
    `import _ from 'lodash'`,
    `return _.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even'))`,
    { odd: [1, 3], even: [2] },
  ),
  luxon: main(
    `import { DateTime } from 'luxon'`,
    `return DateTime.fromISO('2026-03-01', { zone: 'Asia/Seoul' }).plus({ months: 1 }).toISODate()`,
    '2026-04-01',
  ),
  'date-fns': main(
    `import { addDays, formatISO } from 'date-fns'`,
    `return formatISO(addDays(new Date(2026, 1, 28), 1), { representation: 'date' })`,
    '2026-03-01',
  ),
  jsonwebtoken: main(
    `import jwt from 'jsonwebtoken'`,
    `return jwt.verify(jwt.sign({ order: 7 }, 'secret', { noTimestamp: true }), 'secret')`,
    { order: 7 },
  ),
  bcryptjs: main(
    `import bcrypt from 'bcryptjs'`,
    `return await bcrypt.compare('word', await bcrypt.hash('word', 4))`,
    true,
  ),
  hono: main(
    `import { Hono } from 'hono'`,
    `const app = new Hono().get('/orders/:id', (c) => c.json({ id: c.req.param('id') }))
    return await (await app.request('/orders/7')).json()`,
    { id: '7' },
  ),
}

/** By part and by package. */
export const FIRST_CALLS: Readonly<Record<string, Readonly<Record<string, FirstCall>>>> = {
  data: DATA,
  cloud: CLOUD,
  documents: DOCUMENTS,
  language: LANGUAGE,
}

/** Packages with machine code. */
export const NATIVE = ['sharp', 'better-sqlite3'] as const
