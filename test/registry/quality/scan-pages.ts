/** Makes scans of generated certificates: rendered, rotated, with noise, compressed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jpeg from 'jpeg-js'
import { degrees, PDFDocument } from 'pdf-lib'
import { PNG } from 'pngjs'
import { turnImage } from '#ocr/turn-image.ts'

export type ScanQuality = Readonly<{
  name: string
  dpi: number
  /** Degrees. */
  skew?: number | undefined
  /** Standard deviation, in grey levels of 255. */
  noise?: number | undefined
  /** Radius in pixels of a box blur, as from a lens that is out of focus. */
  blur?: number | undefined
  /** Quality of the JPEG. @default 90 */
  quality?: number | undefined
}>

type Pixels = { width: number; height: number; data: Uint8Array }

const readPpm = (bytes: Uint8Array): Pixels => {
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(
    new TextDecoder('latin1').decode(bytes.subarray(0, 64)),
  )
  if (head === null) throw new Error('no P6')
  const [all, width, height] = head
  return { width: Number(width), height: Number(height), data: bytes.subarray(all.length) }
}

/** A small generator with a seed, so that the scan is the same each time. */
const noiseOf = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return () => (next() + next() + next() + next() - 2) * 1.732
}

const degrade = ({ width, height, data }: Pixels, { skew = 0, noise = 0 }: ScanQuality): Pixels => {
  const out = new Uint8Array(width * height * 4).fill(255)
  if (skew === 0 && noise === 0) {
    for (let pixel = 0; pixel < width * height; pixel += 1) {
      out.set(data.subarray(pixel * 3, pixel * 3 + 3), pixel * 4)
    }
    return { width, height, data: out }
  }
  const random = noiseOf(7)
  const [sine, cosine] = [Math.sin((skew * Math.PI) / 180), Math.cos((skew * Math.PI) / 180)]
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - width / 2, y - height / 2]
      const fromX = width / 2 + dx * cosine + dy * sine
      const fromY = height / 2 - dx * sine + dy * cosine
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)]
      const isInside = left >= 0 && top >= 0 && left < width - 1 && top < height - 1
      const [px, py] = [fromX - left, fromY - top]
      const grain = noise === 0 ? 0 : random() * noise
      for (let c = 0; c < 3; c += 1) {
        const at = (yy: number, xx: number): number => data[(yy * width + xx) * 3 + c] ?? 255
        const value = !isInside
          ? 255
          : (at(top, left) * (1 - px) + at(top, left + 1) * px) * (1 - py) +
            (at(top + 1, left) * (1 - px) + at(top + 1, left + 1) * px) * py
        out[(y * width + x) * 4 + c] = Math.max(0, Math.min(255, value + grain))
      }
    }
  }
  return { width, height, data: out }
}

type Line = Readonly<{ start: number; step: number; count: number }>

/** The mean of each value of a line and its neighbours, as a running sum, so that the cost does not depend on their number. */
const blurLine = (from: Uint8Array, to: Uint8Array, line: Line, reach: number): void => {
  const { start, step, count } = line
  const at = (place: number): number => from[start + place * step] ?? 255
  let [sum, first, next] = [0, 0, 0]
  for (let place = 0; place < count; place += 1) {
    for (; next < count && next <= place + reach; next += 1) sum += at(next)
    for (; first < place - reach; first += 1) sum -= at(first)
    to[start + place * step] = sum / (next - first)
  }
}

/** The mean over a box, along rows and then along columns. */
const blurred = ({ width, height, data }: Pixels, reach: number): Pixels => {
  const pass = (from: Uint8Array, lines: readonly Line[]): Uint8Array => {
    const to = from.slice()
    for (const line of lines) blurLine(from, to, line, reach)
    return to
  }
  const colors = [0, 1, 2]
  const rows = Array.from({ length: height }, (_, y) =>
    colors.map((c) => ({ start: y * width * 4 + c, step: 4, count: width })),
  )
  const columns = Array.from({ length: width }, (_, x) =>
    colors.map((c) => ({ start: x * 4 + c, step: width * 4, count: height })),
  )
  return { width, height, data: pass(pass(data, rows.flat()), columns.flat()) }
}

/** JFIF stores its density in bytes 13 to 17. */
const withDensity = (file: Uint8Array, dpi: number): Uint8Array => {
  const marked = file.slice()
  marked.set([1, dpi >> 8, dpi & 255, dpi >> 8, dpi & 255], 13)
  return marked
}

/** @returns a JPEG for each page. Needs poppler-utils */
export const scanPdf = (pdf: Uint8Array, quality: ScanQuality): readonly Uint8Array[] => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scan-'))
  try {
    writeFileSync(join(folder, 'c.pdf'), pdf)
    execFileSync('pdftoppm', ['-r', String(quality.dpi), join(folder, 'c.pdf'), join(folder, 'p')])
    return readdirSync(folder)
      .filter((name) => name.endsWith('.ppm'))
      .toSorted()
      .map((name) => {
        const turned = degrade(readPpm(readFileSync(join(folder, name))), quality)
        const page = quality.blur === undefined ? turned : blurred(turned, quality.blur)
        const file = jpeg.encode(page, quality.quality ?? 90).data
        return withDensity(new Uint8Array(file), quality.dpi)
      })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The scans as a scanner delivers them: a PDF of images.
 * @param turns the degrees by which the pages are displayed clockwise; 0 without
 */
export const toScannedPdf = async (
  scans: readonly Uint8Array[],
  dpi: number,
  turns: readonly number[] = [],
): Promise<Uint8Array> => {
  const pdf = await PDFDocument.create()
  for (const [at, scan] of scans.entries()) {
    const image = await pdf.embedJpg(scan)
    const [width, height] = [(image.width * 72) / dpi, (image.height * 72) / dpi]
    const page = pdf.addPage([width, height])
    page.drawImage(image, { x: 0, y: 0, width, height })
    page.setRotation(degrees(turns[at] ?? 0))
  }
  return pdf.save()
}

/** A scan that lay in another direction. @param stored by the numbers of EXIF, which the file does not state */
export const toTurned = (scan: Uint8Array, dpi: number, stored: 3 | 6 | 8): Uint8Array => {
  const { width, height, data } = jpeg.decode(scan, { useTArray: true })
  const file = jpeg.encode(turnImage({ width, height, channels: 4, data }, stored), 90).data
  return withDensity(new Uint8Array(file), dpi)
}

/** A sheet as wide as two pages, with the scan on its left half. */
export const toSheet = (scan: Uint8Array, dpi: number): Uint8Array => {
  const { width, height, data } = jpeg.decode(scan, { useTArray: true })
  const sheet = new Uint8Array(width * height * 8).fill(255)
  for (let y = 0; y < height; y += 1) {
    sheet.set(data.subarray(y * width * 4, (y + 1) * width * 4), y * width * 8)
  }
  const file = jpeg.encode({ width: width * 2, height, data: sheet }, 90).data
  return withDensity(new Uint8Array(file), dpi)
}

/** A scan as a PNG, which contains no density. */
export const toPng = (scan: Uint8Array): Uint8Array => {
  const { width, height, data } = jpeg.decode(scan, { useTArray: true })
  const png = new PNG({ width, height })
  png.data.set(data)
  return new Uint8Array(PNG.sync.write(png))
}
