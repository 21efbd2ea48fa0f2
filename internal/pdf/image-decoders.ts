/**
 * Lends pdf.js the decoders of CCITT fax, JBIG2 and JPEG 2000. The package of pdf.js leaves their programs out, and with them
 * the function that loads one, so the objects that would call it get another function `decode`.
 */
import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { type ImageProgram, startImageProgram } from './image-program.ts'

/** Pixels of the largest image that is decoded. */
export const MOST_PIXELS = 40_000_000

/** @throws {Error} the program delivered nothing */
const imageOf = (program: ImageProgram): Uint8Array => {
  const image = program.image()
  if (image === null) throw new Error('The image is damaged.')
  return image
}

/** Bytes of the shortest head of a segment, and the length of a segment whose end must be searched. */
const [LEAST_HEAD, UNKNOWN_LENGTH] = [11, 0xffffffff]
const REGION_SIZE = 8

type Segment = Readonly<{ type: number; start: number; end: number }>

/** The pixels of a region of letters, halftone, bits or refined bits, whose data begins with its size; 0 for other segments. */
const coveredBy = (view: DataView, { type, start, end }: Segment): number =>
  type < 4 || type > 43 || type === 16 || end - start < REGION_SIZE || end > view.byteLength
    ? 0
    : view.getUint32(start) * view.getUint32(start + 4)

/** Bytes of a generic region before its data: its size and place, and flags, the lowest of which is set for codes of fax. */
const GENERIC_HEAD = 18
const ROW_COUNT_SIZE = 4

/** The length of a generic region, by the mark at its end, which a count of its rows follows; null without the mark. */
const lengthByMark = (data: Uint8Array): number | null => {
  const isFax = ((data[GENERIC_HEAD - 1] ?? 0) & 1) === 1
  const mark = Buffer.from(isFax ? [0, 0] : [0xff, 0xac])
  const at = Buffer.from(data.buffer, data.byteOffset, data.length).indexOf(mark, GENERIC_HEAD)
  return at === -1 ? null : at + mark.length + ROW_COUNT_SIZE
}

/** How often regions may cover the page. They overlap where letters lie over the rest of it: scanners write two or three. */
const MOST_COVERED = 16

/**
 * Whether the segments of JBIG2 [T.88 7.2] are those of a page. The decoder leaves the rest of the page white if the last one
 * ends behind the data, and takes time for the size that each region states, whatever is in it.
 * @param bytes get each length that is unknown, so that the decoder finds the same segments @param pixels of the page
 */
const isPage = (bytes: Uint8Array, pixels: number): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  let covered = 0
  while (at + LEAST_HEAD <= bytes.length) {
    const [number, flags] = [view.getUint32(at), view.getUint8(at + 4)]
    const few = view.getUint8(at + 5) >> 5
    const isLong = few === 7
    const count = isLong ? view.getUint32(at + 5) & 0x1fffffff : few
    const reference = number <= 256 ? 1 : number <= 65_536 ? 2 : 4
    const counted = isLong ? 4 + Math.ceil((count + 1) / 8) : 1
    at += 5 + counted + count * reference + ((flags & 0x40) === 0 ? 1 : 4)
    if (at + 4 > bytes.length) return false
    const stated = view.getUint32(at)
    const length = stated === UNKNOWN_LENGTH ? lengthByMark(bytes.subarray(at + 4)) : stated
    if (length === null) return false
    view.setUint32(at, length)
    at += 4 + length
    covered += coveredBy(view, { type: flags & 0x3f, start: at - length, end: at })
    if (covered > pixels * MOST_COVERED) return false
  }
  return at <= bytes.length
}

const faxSchema = z.object({
  K: z.number(),
  EndOfLine: z.boolean(),
  EncodedByteAlign: z.boolean(),
  BlackIs1: z.boolean(),
  Columns: z.number(),
  Rows: z.number(),
})

/** Decodes CCITT fax if there are parameters of it, otherwise JBIG2. @throws {Error} the image is damaged or too large */
const decodeBits = async (
  bytes: Uint8Array,
  width: number,
  height: number,
  globals: Uint8Array | null,
  parameters?: unknown,
): Promise<Uint8Array> => {
  const fax = parameters === undefined ? null : faxSchema.parse(parameters)
  const [columns, rows] = [Math.max(width, fax?.Columns ?? 0), Math.max(height, fax?.Rows ?? 0)]
  if (fax === null && !isPage(bytes, width * height)) throw new Error('The image is damaged.')
  if (columns * rows > MOST_PIXELS) throw new RangeError('The image is too large.')
  const program = startImageProgram('jbig2')
  const image = [program.lend(bytes), bytes.length, width, height]
  if (fax === null) {
    const shared = globals ?? new Uint8Array(0)
    program.call('jbig2_decode', ...image, program.lend(shared), shared.length)
  } else {
    const flags = [fax.EndOfLine, fax.EncodedByteAlign, fax.BlackIs1].map(Number)
    program.call('ccitt_decode', ...image, fax.K, ...flags, fax.Columns, fax.Rows)
  }
  return imageOf(program)
}

type JpxOptions = Readonly<{
  numComponents?: number
  isIndexedColormap?: boolean
  smaskInData?: boolean
  reducePower?: number
}>

/** @throws {Error} the image is damaged or too large */
const decodeJpx = async (
  bytes: Uint8Array,
  {
    numComponents = 4,
    isIndexedColormap = false,
    smaskInData = false,
    reducePower = 0,
  }: JpxOptions = {},
): Promise<Uint8Array> => {
  const program = startImageProgram('openjpeg')
  const how = [Math.max(0, numComponents), Number(isIndexedColormap), Number(smaskInData)]
  const failed = program.call('jp2_decode', program.lend(bytes), bytes.length, ...how, reducePower)
  if (failed !== 0) throw new Error('The image is damaged.')
  return imageOf(program)
}

const DECODERS = { 'jbig2.wasm': decodeBits, 'openjpeg.wasm': decodeJpx } as const

const decoderSchema = z.object({
  value: z.object({ _filename: z.enum(['jbig2.wasm', 'openjpeg.wasm']) }),
})

/** pdf.js asks a canvas how large an image may be. Without one, it shrinks JPEG 2000 to 2048 pixels. */
class AnyCanvas {
  getContext() {
    return { fillRect: () => undefined, getImageData: () => ({ data: [0, 0, 0, 255] }) }
  }
}

/**
 * pdf.js creates the object of a decoder at the first image, and keeps it by `Object.defineProperty`. This replaces that
 * function. Only one file may be read at a time. @returns a function that restores it
 */
export const lendDecoders = (): (() => void) => {
  const { defineProperty } = Object
  const canvas = Reflect.getOwnPropertyDescriptor(globalThis, 'OffscreenCanvas')
  Object.defineProperty = (target, key, descriptor) => {
    const found = key === 'instance' ? decoderSchema.safeParse(descriptor) : null
    if (found?.success === true) {
      Reflect.set(descriptor.value, 'decode', DECODERS[found.data.value._filename])
    }
    return defineProperty(target, key, descriptor)
  }
  Reflect.set(globalThis, 'OffscreenCanvas', AnyCanvas)
  return () => {
    Object.defineProperty = defineProperty
    Reflect.deleteProperty(globalThis, 'OffscreenCanvas')
    if (canvas !== undefined) Reflect.defineProperty(globalThis, 'OffscreenCanvas', canvas)
  }
}
