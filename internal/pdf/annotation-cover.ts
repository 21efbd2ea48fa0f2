/** Finds text below annotations: notes, stamps and fields that a viewer shows over the page, and the parser does not read. */
import { z } from 'zod'
import type { TextPiece } from '#registry/page-content.ts'
import { isBlankLetter } from './blank-letter.ts'
import { type Box, boxIn, type Matrix } from './page-geometry.ts'
import { PdfError } from './reading.ts'

const annotationSchema = z.object({
  subtype: z.string(),
  rect: z.array(z.number()),
  hasAppearance: z.boolean().optional(),
  annotationFlags: z.number().optional(),
})

/** Flags of an annotation: hidden everywhere, shown in print, and not shown on the screen. */
const [HIDDEN, PRINT, NO_VIEW] = [2, 4, 32]

const isShown = (flags: number): boolean =>
  (flags & HIDDEN) === 0 && ((flags & NO_VIEW) === 0 || (flags & PRINT) !== 0)

/** Annotations that show nothing over the text, or only mark it. */
const SEE_THROUGH: ReadonlySet<string> = new Set([
  'Link',
  'Popup',
  'Text',
  'Highlight',
  'Underline',
  'Squiggly',
  'Caret',
])
/** Annotations of a page that are compared with its text. */
const MOST = 1_000

type AnnotatedPage = Readonly<{
  getAnnotations: (options: { intent: string }) => Promise<readonly unknown[]>
}>

const isOver = ({ left, right, bottom, top }: Box, piece: TextPiece): boolean => {
  const y = piece.baseline + piece.size * 0.35
  const from = Math.max(left, piece.left)
  const to = Math.min(right, piece.right)
  // less than half a letter at the end of a text does not count
  return (
    y > bottom && y < top && to - from > Math.min(piece.size / 4, (piece.right - piece.left) / 2)
  )
}

/**
 * Whether an annotation that a viewer shows or prints lies over text.
 * @param matrix maps the page to the coordinates of the texts
 * @throws {PdfError} too_big
 */
export const hasAnnotatedText = async (
  page: AnnotatedPage,
  texts: readonly TextPiece[],
  matrix: Matrix,
): Promise<boolean> => {
  const boxes = (await page.getAnnotations({ intent: 'any' })).flatMap((annotation) => {
    const { data } = annotationSchema.safeParse(annotation)
    if (data === undefined || !isShown(data.annotationFlags ?? 0)) return []
    if (SEE_THROUGH.has(data.subtype)) return []
    // an empty field shows nothing
    if (data.subtype === 'Widget' && data.hasAppearance !== true) return []
    return [boxIn(matrix, data.rect)]
  })
  if (boxes.length > MOST) throw new PdfError('too_big', 'The file has too many notes.')
  const letters = texts.filter(({ text }) => !isBlankLetter(text))
  return boxes.some((box) => letters.some((piece) => isOver(box, piece)))
}
