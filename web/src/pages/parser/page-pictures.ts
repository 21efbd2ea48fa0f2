/**
 * Draws pages of the selected PDF in the browser with pdf.js, which the server uses too. It is loaded when there is a file.
 * If a page cannot be drawn, it stays blank, but its boxes are shown. pdf.js leaves out scans in CCITT fax, JBIG2 and JPEG 2000,
 * because it decodes them with WebAssembly, which the page's policy forbids.
 */
import type { PageSize } from './entries.ts'

export type Drawing = Readonly<{
  size: PageSize
  /** Whether a picture of the page could not be drawn. */
  lacksPicture: boolean
}>

export type Pictures = Readonly<{
  pageCount: number
  /** @returns null if the page cannot be drawn */
  draw: (page: number, canvas: HTMLCanvasElement) => Promise<Drawing | null>
  close: () => void
}>

/** Sharp on high-resolution screens. With more, a large page would need too much memory. */
const SCALE = 2

/** @returns null if the file cannot be drawn at all */
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
          // a picture that pdf.js cannot decode is null
          const lacksPicture = [...page.objs].some(([, data]) => data === null)
          return { size: { width, height }, lacksPicture }
        } catch {
          return null
        }
      },
      // closing in the middle of a page may fail
      close: () => void task.destroy().catch(() => undefined),
    }
  } catch {
    return null
  }
}
