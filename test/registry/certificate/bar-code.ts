import { crc32, deflateSync } from 'node:zlib'
import { createRandom } from './random.ts'

const WIDTH = 84
const HEIGHT = 34
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** A small grey PNG of bars, the picture that stands top right of page 1. */
export const barCodePng = (seed: number): Uint8Array => {
  const random = createRandom(seed)
  const bars = Array.from({ length: WIDTH }, () => (random.chance(0.5) ? 0 : 255))
  // each row begins with its filter: none
  const row = Buffer.from([0, ...bars])
  const pixels = Buffer.concat(Array.from({ length: HEIGHT }, () => row))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // eight bits a pixel, grey
  header.set([8, 0, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
