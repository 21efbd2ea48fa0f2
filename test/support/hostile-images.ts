/** Images that differ from what they claim or are too large, and the failures in which each may end. */
import { deflateSync } from 'node:zlib'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import type { PdfFailure } from '#pdf/reading.ts'

export type HostileImage = Readonly<{
  name: string
  type: 'jpeg' | 'png' | 'pdf'
  bytes: Uint8Array
  may: readonly PdfFailure[]
}>

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

const crcOf = (bytes: Uint8Array): number => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

const chunk = (name: string, data: Uint8Array): Uint8Array => {
  const body = new Uint8Array([...new TextEncoder().encode(name), ...data])
  const bytes = new Uint8Array(body.length + 8)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(body, 4)
  view.setUint32(body.length + 4, crcOf(body))
  return bytes
}

/** Empty rows, as many as the header claims or fewer. */
const pngOf = (width: number, height: number, rawBytes: number): Uint8Array => {
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  head.set([1, 0, 0, 0, 0], 8)
  const data = deflateSync(new Uint8Array(rawBytes), { level: 9 })
  const chunks = [chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', new Uint8Array(0))]
  return new Uint8Array([...SIGNATURE, ...chunks.flatMap((part) => [...part])])
}

const WIDE = 1_700
const HIGH = 2_400

const goodJpeg = (): Uint8Array => {
  const data = new Uint8Array(WIDE * HIGH * 4).fill(255)
  return new Uint8Array(jpeg.encode({ width: WIDE, height: HIGH, data }, 80).data)
}

/** Changes the frame size, which is five bytes after its marker. */
const resized = (file: Uint8Array, width: number, height: number): Uint8Array => {
  const bytes = file.slice()
  const at = bytes.findIndex((byte, index) => byte === 0xff && bytes[index + 1] === 0xc0)
  const view = new DataView(bytes.buffer)
  view.setUint16(at + 5, height)
  view.setUint16(at + 7, width)
  return bytes
}

const whitePng = (): Uint8Array => {
  const png = new PNG({ width: WIDE, height: HIGH })
  png.data.fill(255)
  return new Uint8Array(PNG.sync.write(png))
}

const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (Math.imul(index + 1, 2_654_435_761) >>> 13) & 255)

const BROKEN = ['broken', 'too_big', 'low_resolution'] as const

export const hostileImages = (): readonly HostileImage[] => {
  const scan = goodJpeg()
  const png = whitePng()
  const half = (bytes: Uint8Array): Uint8Array => bytes.slice(0, bytes.length >> 1)
  const jpegs: readonly (readonly [string, Uint8Array])[] = [
    ['of 65,535 by 65,535 pixels', resized(scan, 65_535, 65_535)],
    ['of no height', resized(scan, WIDE, 0)],
    ['of no width', resized(scan, 0, HIGH)],
    ['cut in half', half(scan)],
    ['cut after its head', scan.slice(0, 200)],
    ['of two bytes', scan.slice(0, 2)],
    ['of noise behind the mark', new Uint8Array([0xff, 0xd8, 0xff, ...noise(50_000)])],
  ]
  const pngs: readonly (readonly [string, Uint8Array])[] = [
    ['that claims 4,000,000,000 by 4,000,000,000 pixels', pngOf(4e9, 4e9, 100)],
    ['that claims 50,000 by 50,000 pixels', pngOf(50_000, 50_000, 100)],
    ['whose 30 MB of rows are two pixels wide', pngOf(2, 2, 30_000_000)],
    ['whose rows are beyond its size', pngOf(WIDE, HIGH, 60_000_000)],
    ['whose rows are missing', pngOf(WIDE, HIGH, 10)],
    ['of no size', pngOf(0, 0, 0)],
    ['cut in half', half(png)],
    ['of nothing but its signature', new Uint8Array(SIGNATURE)],
    ['of noise behind the signature', new Uint8Array([...SIGNATURE, ...noise(50_000)])],
  ]
  const named =
    (type: 'jpeg' | 'png') =>
    ([name, bytes]: readonly [string, Uint8Array]): HostileImage => ({
      name: `a ${type} ${name}`,
      type,
      bytes,
      may: BROKEN,
    })
  return [...jpegs.map(named('jpeg')), ...pngs.map(named('png'))]
}
