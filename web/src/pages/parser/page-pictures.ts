/**
 * Draws pages of the chosen PDF. The file is read here, in the browser; pdf.js is the reader that the server uses too, and
 * is loaded when there is a file. What it cannot draw leaves the page blank; the boxes are still shown.
 */
import type { PageSize } from './entries.ts'

export type Pictures = Readonly<{
  pageCount: number
  /** @returns null: this page cannot be drawn */
  draw: (page: number, canvas: HTMLCanvasElement) => Promise<PageSize | null>
  close: () => void
}>

/** Sharp on fine screens; beyond it a large page would cost too much memory. */
const SCALE = 2

/** @returns null: the file cannot be drawn at all */
export const openPictures = async (file: Blob): Promise<Pictures | null> => {
  try {
    const { getDocument } = await import('unpdf/pdfjs')
    const task = getDocument({
      data: new Uint8Array(await file.arrayBuffer()),
      verbosity: 0,
      // the page's policy blocks requests, so only fonts of the file are used
      useSystemFonts: true,
      useWorkerFetch: false,
      useWasm: false,
      enableXfa: false,
    })
    const document = await task.promise
    return {
      pageCount: document.numPages,
      draw: async (number, canvas) => {
        try {
          const page = await document.getPage(number)
          const { width, height } = page.getViewport({ scale: 1 })
          const viewport = page.getViewport({ scale: SCALE })
          canvas.width = viewport.width
          canvas.height = viewport.height
          await page.render({ canvas, viewport }).promise
          return { width, height }
        } catch {
          return null
        }
      },
      // in the middle of a page it may say that it was cut short
      close: () => void task.destroy().catch(() => undefined),
    }
  } catch {
    return null
  }
}
