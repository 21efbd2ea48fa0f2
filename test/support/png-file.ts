/** A PNG with one byte per pixel: grey, or the index of a palette. */
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const GREY = 0
const INDEXED = 3

export type BytePixels = Readonly<{
  width: number
  height: number
  /** Row by row from the top. */
  pixels: Uint8Array
  /** 0xRRGGBB by index. @default the bytes are grey levels */
  palette?: readonly number[]
}>

export const pngFile = ({ width, height, pixels, palette }: BytePixels): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, palette === undefined ? GREY : INDEXED, 0, 0, 0], 8)
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row += 1) {
    // each row begins with its filter type, here none
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  }
  const colours = palette?.flatMap((each) => [each >> 16, (each >> 8) & 255, each & 255])
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(colours === undefined ? [] : [chunk('PLTE', Buffer.from(colours))]),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
