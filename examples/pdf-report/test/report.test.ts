import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { tryApp } from '../../try-app.ts'

/** One page with one line; readers find the objects also without the table of their places. */
const pdfWith = (line: string): string => {
  const content = `BT /F1 12 Tf 20 50 Td (${line}) Tj ET`
  const objects = [
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 100] /Contents 4 0 R /Resources <</Font <</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>',
  ]
  const body = objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj\n`).join('')
  return btoa(`%PDF-1.7\n${body}trailer\n<</Root 1 0 R /Size 6>>\n%%EOF\n`)
}

test('pages, words and dates of a PDF come together in one report', async () => {
  const { runFlow } = tryApp(join(import.meta.dirname, '..'))
  const pdf = pdfWith('Paid on 2026-03-01 and 2026-04-01')
  const { status, result, error } = await runFlow('report', { pdf })
  assert.deepEqual({ status, error }, { status: 'completed', error: null })
  assert.deepEqual(result, { pages: 1, words: 5, dates: ['2026-03-01', '2026-04-01'] })
})
