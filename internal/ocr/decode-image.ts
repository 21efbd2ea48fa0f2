/** Decodes JPG and PNG files to pixels, within limits, and only if their resolution is high enough for OCR. */
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { PdfError } from '#pdf/reading.ts'
import { jpegDensity, jpegOrientation, pngDensity } from './density.ts'
import type { ColourImage } from './raster.ts'
import { turnImage } from './turn-image.ts'

export const LEAST_DPI = 200
/** A4 at 200 DPI is 1,654 pixels wide. A print may be slightly narrower than its paper. */
const LEAST_WIDTH = 1_600
/** The least width in pixels of an image that declares its density. Even a narrow print has more. */
const LEAST_STATED_WIDTH = 1_300
/** Densities that are stored per metre are rounded. */
const ROUNDING = 1
const MAX_PIXELS = 40_000_000
const MAX_MEMORY_MB = 512

/** @throws {PdfError} `low_resolution` */
export const requireResolution = (
  { width, height }: Readonly<{ width: number; height: number }>,
  dpi: number | null,
): void => {
  const breadth = Math.min(width, height)
  const isFine =
    dpi === null
      ? breadth >= LEAST_WIDTH
      : dpi + ROUNDING >= LEAST_DPI && breadth >= LEAST_STATED_WIDTH
  if (!isFine) throw new PdfError('low_resolution', 'The image has less than 200 DPI.')
}

const decodeJpeg = (bytes: Uint8Array): ColourImage => {
  const { width, height, data } = jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: false,
    maxResolutionInMP: MAX_PIXELS / 1e6,
    maxMemoryUsageInMB: MAX_MEMORY_MB,
  })
  return turnImage({ width, height, channels: 3, data }, jpegOrientation(bytes))
}

/** Width and height are in the first chunk, and are checked before anything is decompressed. */
const decodePng = (bytes: Uint8Array): ColourImage => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [across, down] = bytes.length < 24 ? [0, 0] : [view.getUint32(16), view.getUint32(20)]
  if (across * down > MAX_PIXELS) throw new PdfError('too_big', 'The image has too many pixels.')
  const { width, height, data } = PNG.sync.read(Buffer.from(bytes))
  const image = { width, height, channels: 4, data } as const
  return { ...image, data: onWhite(image) }
}

/** Puts transparent parts on white paper. */
const onWhite = ({ data }: ColourImage): Uint8Array => {
  const opaque = new Uint8Array(data)
  for (let at = 0; at < opaque.length; at += 4) {
    const alpha = opaque[at + 3] ?? 255
    if (alpha === 255) continue
    for (let part = at; part < at + 3; part += 1) {
      opaque[part] = ((opaque[part] ?? 0) * alpha + 255 * (255 - alpha)) / 255
    }
  }
  return opaque
}

/** @throws {PdfError} `broken`, `too_big`, `low_resolution` */
export const decodeImage = (bytes: Uint8Array, type: 'jpeg' | 'png'): ColourImage => {
  const dpi = type === 'jpeg' ? jpegDensity(bytes) : pngDensity(bytes)
  let image: ColourImage
  try {
    image = type === 'jpeg' ? decodeJpeg(bytes) : decodePng(bytes)
  } catch (error) {
    if (error instanceof PdfError) throw error
    // biome-ignore lint/style/useErrorCause: PdfError takes the cause as its third argument
    throw new PdfError('broken', 'The image is damaged or too large.', error)
  }
  requireResolution(image, dpi)
  return image
}
