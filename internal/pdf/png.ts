/** Writes a picture as PNG, with only the parts of the format that raw pixels need. */
import { Buffer } from 'node:buffer'
import { crc32, deflateSync } from 'node:zlib'

export type Pixels = Readonly<{
  width: number
  height: number
  /** The format of a pixel: one bit of grey, or bytes of red, green, blue and optionally opacity. */
  kind: 'bit' | 'rgb' | 'rgba'
  /** Row by row from the top; a row of bits ends at a whole byte. */
  data: Uint8Array
}>

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const SHAPES = {
  bit: { depth: 1, colour: 0, bits: 1 },
  rgb: { depth: 8, colour: 2, bits: 24 },
  rgba: { depth: 8, colour: 6, bits: 32 },
} as const

/** Returns the bytes of one row of pixels, without the filter byte. */
export const rowBytes = ({ kind, width }: Pick<Pixels, 'kind' | 'width'>): number =>
  Math.ceil((width * SHAPES[kind].bits) / 8)

const chunk = (name: string, body: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const frame = Buffer.alloc(named.length + 8)
  frame.writeUInt32BE(body.length, 0)
  frame.set(named, 4)
  frame.writeUInt32BE(crc32(named), named.length + 4)
  return frame
}

/** Encodes pixels as a PNG without row filters. */
export const encodePng = (pixels: Pixels): Buffer => {
  const { width, height, kind, data } = pixels
  const { depth, colour } = SHAPES[kind]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour, 0, 0, 0], 8)
  const length = rowBytes(pixels)
  const rows = Buffer.alloc((length + 1) * height)
  for (let row = 0; row < height; row += 1) {
    // each row begins with its filter type: 0, none
    rows.set(data.subarray(row * length, (row + 1) * length), row * (length + 1) + 1)
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array(0)),
  ])
}
