import { readFileSync } from 'node:fs'
import type { HorizontalLine, PageContent, TextPiece } from '#registry/page-content.ts'

const FOLDER = new URL('./fixtures/samples/', import.meta.url)

/** Reads a geometry sample with lines `T x0 x1 y size text` and `R x0 x1 y` as if its pages came from a PDF. */
export function measuredPages(file: string, firstNumber: number): readonly PageContent[] {
  const pages: { texts: TextPiece[]; lines: HorizontalLine[] }[] = [{ texts: [], lines: [] }]
  for (const row of readFileSync(new URL(file, FOLDER), 'utf8').split('\n')) {
    if (row.startsWith('# --- page') && (pages.at(-1)?.texts.length ?? 0) > 0) {
      pages.push({ texts: [], lines: [] })
    }
    const [kind, left = '', right = '', y = '', size = '', text = ''] = row.split('\t')
    const box = { left: Number(left), right: Number(right) }
    if (kind === 'T') {
      pages.at(-1)?.texts.push({ ...box, baseline: Number(y), size: Number(size), text })
    } else if (kind === 'R') pages.at(-1)?.lines.push({ ...box, y: Number(y), isRed: false })
  }
  return pages.map((page, index) => ({
    ...page,
    number: firstNumber + index,
    width: 595.276,
    height: 841.89,
  }))
}
