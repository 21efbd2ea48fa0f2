/** What a PDF is read to: texts and lines where a person sees them, however the PDF rotates, shifts and nests them. */
import { inflateSync } from 'node:zlib'
import { degrees, grayscale, PDFDocument, rgb, StandardFonts } from 'pdf-lib'
import { describe, expect, it } from 'vitest'
import { readPdf } from '#pdf/read-pdf.ts'
import { PDF_BOUNDS } from '#pdf/reading.ts'
import type { PageContent, SourceContent } from '#registry/page-content.ts'
import { pdfOf } from '../support/raw-pdf.ts'

const read = async (bytes: Uint8Array): Promise<SourceContent> =>
  // pdf.js takes over the bytes
  readPdf(new Uint8Array(bytes), PDF_BOUNDS)

const firstPage = async (bytes: Uint8Array): Promise<PageContent> => {
  const [page] = (await read(bytes)).pages
  if (page === undefined) throw new Error('No page was read.')
  return page
}

const A4: [number, number] = [595, 842]
const drawn = async (draw: (page: ReturnType<PDFDocument['addPage']>) => void | Promise<void>) => {
  const document = await PDFDocument.create()
  const page = document.addPage(A4)
  await draw(page)
  page.drawText('text', { x: 10, y: 10, size: 8 })
  return document.save()
}

/** A PDF of one page with this content stream, these page attributes and more objects. */
const pageOf = (content: string, page = '', more: readonly string[] = []): Buffer =>
  pdfOf([
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    `<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources <</Font <</F 5 0 R>> /XObject <</X 6 0 R>>>> ${page}>>`,
    { dictionary: '', stream: Buffer.from(content, 'latin1') },
    '<</Type /Font /Subtype /Type1 /BaseFont /Courier>>',
    ...more,
  ])
const WORD = 'BT /F 10 Tf 100 700 Td (word) Tj ET'

describe('a text', () => {
  it('has the place where it begins, its width and its size', async () => {
    const { texts, width, height, number } = await firstPage(pageOf(WORD))
    expect({ width, height, number }).toEqual({ width: 595, height: 842, number: 1 })
    expect(texts).toEqual([{ text: 'word', left: 100, right: 124, baseline: 700, size: 10 }])
  })

  it('keeps one blank within it, and two or more separate two texts', async () => {
    const { texts } = await firstPage(pageOf('BT /F 10 Tf 100 700 Td (a b  c) Tj ET'))
    const written = texts.filter(({ text }) => text.trim() !== '')
    expect(written.map(({ text, left }) => [text.trim(), left])).toEqual([
      ['a b', 100],
      ['c', 130],
    ])
  })

  it('of a hundred thousand letters in a font that must be checked is read at once', async () => {
    const letters = 'ab'.repeat(50_000)
    const { texts } = await firstPage(pageOf(`BT /F 1 Tf 5 700 Td (${letters}) Tj ET`))
    // without those right of the page
    expect(texts.map(({ text }) => text).join('')).toMatch(/^(ab){400,}a?$/)
  }, 10_000)

  it('is scaled and moved by its page', async () => {
    const { texts } = await firstPage(pageOf(`0.5 0 0 0.5 10 20 cm ${WORD}`))
    expect(texts).toEqual([{ text: 'word', left: 60, right: 72, baseline: 370, size: 5 }])
  })

  it.each([
    { page: '/MediaBox [100 200 695 1042]', left: 0, baseline: 500 },
    { page: '/CropBox [50 100 545 742]', left: 50, baseline: 600 },
    { page: '/UserUnit 2', left: 200, baseline: 1_400 },
  ])('is measured from the visible corner: $page', async ({ page, left, baseline }) => {
    const { texts } = await firstPage(pageOf(WORD, page))
    expect(texts).toMatchObject([{ left, baseline }])
  })

  it('reads along on a page that is turned', async () => {
    const turned = 'BT /F 10 Tf 0 1 -1 0 300 100 Tm (word) Tj ET'
    const { texts, width, height } = await firstPage(pageOf(turned, '/Rotate 90'))
    expect([width, height]).toEqual([842, 595])
    expect(texts).toEqual([{ text: 'word', left: 100, right: 124, baseline: 295, size: 10 }])
  })

  it.each(['/Rotate 90', '/Rotate 180', '/Rotate 270'])(
    'is read in its own direction on a page with %s',
    async (flag) => {
      const { texts, width, height } = await firstPage(pageOf(WORD, flag))
      expect([width, height]).toEqual([595, 842])
      expect(texts).toEqual((await firstPage(pageOf(WORD))).texts)
    },
  )

  it('that runs up, down or askew is none of a certificate', async () => {
    const turned = ['0 1 -1 0', '0 -1 1 0', '-1 0 0 -1', '0.7 0.7 -0.7 0.7']
    const words = turned.map((matrix) => `BT /F 10 Tf ${matrix} 300 300 Tm (no) Tj ET`).join(' ')
    const { texts } = await firstPage(pageOf(`${words} ${WORD}`))
    expect(texts.map(({ text }) => text)).toEqual(['word'])
  })
})

describe('a line', () => {
  it('is a stroke, red or not', async () => {
    const bytes = await drawn((page) => {
      page.drawLine({ start: { x: 50, y: 300 }, end: { x: 100, y: 300 }, color: rgb(1, 0, 0) })
      page.drawLine({ start: { x: 60, y: 200 }, end: { x: 20, y: 200 }, color: rgb(0, 0, 0) })
    })
    const { lines } = await firstPage(bytes)
    expect(lines).toEqual([
      { left: 50, right: 100, y: 300, isRed: true },
      { left: 20, right: 60, y: 200, isRed: false },
    ])
  })

  it('is a filled rectangle too thin to be anything else', async () => {
    const bytes = await drawn((page) => {
      page.drawRectangle({ x: 50, y: 600, width: 200, height: 1, color: rgb(0.9, 0.1, 0.1) })
      page.drawRectangle({ x: 50, y: 500, width: 200, height: 20, color: grayscale(0) })
    })
    const { lines } = await firstPage(bytes)
    expect(lines).toEqual([{ left: 50, right: 250, y: 600.5, isRed: true }])
  })

  it('is none when it is upright, slanted, a dot, white or never painted', async () => {
    const words = [
      '50 50 m 50 300 l S',
      '50 50 m 300 60 l S',
      '50 50 m 52 50 l S',
      '1 1 1 RG 50 50 m 300 50 l S 0 0 0 RG',
      '50 50 m 300 50 l n',
      '50 50 m 100 90 200 90 300 50 c S',
    ]
    expect((await firstPage(pageOf(`${WORD} ${words.join(' ')}`))).lines).toEqual([])
  })

  it('is found in a drawing that is moved and scaled, and its end leaves the rest in place', async () => {
    const form = `<</Type /XObject /Subtype /Form /BBox [0 0 100 100] /Matrix [1 0 0 1 5 7] /Length 14>>\nstream\n0 0 m 50 0 l S\nendstream`
    const words = `${WORD} q 2 0 0 2 100 200 cm /X Do Q 10 10 m 40 10 l S`
    const { lines } = await firstPage(pageOf(words, '', [form]))
    expect(lines).toEqual([
      { left: 110, right: 210, y: 214, isRed: false },
      { left: 10, right: 40, y: 10, isRed: false },
    ])
  })

  it('lies where it is seen on a turned page', async () => {
    const bytes = await drawn((page) => {
      page.setRotation(degrees(90))
      page.drawText('along', { x: 300, y: 100, size: 10, rotate: degrees(90) })
      page.drawLine({ start: { x: 300, y: 100 }, end: { x: 300, y: 400 } })
    })
    const { lines } = await firstPage(bytes)
    expect(lines).toEqual([{ left: 100, right: 400, y: 295, isRed: false }])
  })
})

/** Width, height and rows of a PNG in the form that this module writes. */
const decodePng = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64')
  const length = bytes.readUInt32BE(33)
  return {
    signature: bytes.subarray(1, 4).toString(),
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    depth: bytes[24],
    colour: bytes[25],
    rows: [...inflateSync(bytes.subarray(41, 41 + length))],
  }
}

describe('the picture', () => {
  const image = (more: string, bytes: readonly number[]) => {
    const stream = Buffer.from(bytes).toString('latin1')
    return `<</Type /XObject /Subtype /Image ${more} /Length ${bytes.length}>>\nstream\n${stream}\nendstream`
  }
  const RGB = image(
    '/Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
    [1, 2, 3, 4, 5, 6],
  )
  const pictureOf = async (words: string, object = RGB) =>
    (await read(pageOf(`${WORD} ${words}`, '', [object]))).picture

  it('is the raster in the upper right, as PNG', async () => {
    const picture = await pictureOf('q 80 0 0 80 450 740 cm /X Do Q')
    expect(decodePng(picture ?? '')).toMatchObject({
      signature: 'PNG',
      width: 2,
      height: 1,
      depth: 8,
    })
    expect(decodePng(picture ?? '').rows.slice(0, 4)).toEqual([0, 1, 2, 3])
  })

  it('may be a mask of single bits', async () => {
    const mask = image('/Width 4 /Height 2 /BitsPerComponent 1 /ImageMask true', [0x50, 0xa0])
    const picture = await pictureOf('q 80 0 0 80 450 740 cm /X Do Q', mask)
    expect(decodePng(picture ?? '')).toMatchObject({ width: 4, height: 2, depth: 1, colour: 0 })
  })

  it('that covers a page behind its text makes it a scan, unless lines are drawn', async () => {
    const isPicture = async (content: string) => {
      const bits = image(
        '/Width 4 /Height 2 /BitsPerComponent 1 /ColorSpace /DeviceGray',
        [0x50, 0xa0],
      )
      return (await firstPage(pageOf(content, '', [bits]))).isPicture
    }
    const scan = `q 595 0 0 842 0 0 cm /X Do Q ${WORD}`
    expect(await isPicture(scan)).toBe(true)
    expect(await isPicture(`${scan} 24 500 m 573 500 l S`)).toBeUndefined()
    expect(await isPicture(`q 80 0 0 80 450 740 cm /X Do Q ${WORD}`)).toBeUndefined()
  })

  it('is null where there is none, or it is elsewhere, or cannot be decoded', async () => {
    const lost = image(
      '/Width 9 /Height 9 /BitsPerComponent 8 /ColorSpace /DeviceRGB /Filter /JPXDecode',
      [1],
    )
    expect(await pictureOf('')).toBeNull()
    expect(await pictureOf('q 80 0 0 80 50 740 cm /X Do Q')).toBeNull()
    expect(await pictureOf('q 80 0 0 80 450 100 cm /X Do Q')).toBeNull()
    expect(await pictureOf('q 80 0 0 80 450 740 cm /X Do Q', lost)).toBeNull()
  })
})

describe('a document', () => {
  it('of pictures alone is read as pages without a text', async () => {
    const { pages } = await read(pageOf('0 0 m 500 0 l S'))
    expect(pages).toEqual([
      { number: 1, width: 595, height: 842, texts: [], lines: [], verticals: [] },
    ])
  })

  it('with a standard font of its own reads alike when it was packed', async () => {
    const document = await PDFDocument.create()
    const font = await document.embedFont(StandardFonts.Helvetica)
    document.addPage(A4).drawText('packed', { x: 20, y: 30, size: 12, font })
    document.addPage(A4).drawText('second', { x: 20, y: 30, size: 12, font })
    const packed = await read(await document.save())
    const plain = await read(await document.save({ useObjectStreams: false }))
    expect(packed).toEqual(plain)
    expect(packed.pages.map(({ texts }) => texts[0]?.text)).toEqual(['packed', 'second'])
  })
})
