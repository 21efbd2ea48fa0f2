import { expect, it } from 'vitest'
import { jpegOrientation } from './density.ts'
import { turnImage } from './turn-image.ts'

/** Three columns and two rows, with pixels that show where they were. */
const IMAGE = {
  width: 3,
  height: 2,
  channels: 1,
  data: new Uint8Array([1, 2, 3, 4, 5, 6]),
} as const

it.each([
  [1, '123 456'],
  [2, '321 654'],
  [3, '654 321'],
  [4, '456 123'],
  [5, '14 25 36'],
  [6, '41 52 63'],
  [7, '63 52 41'],
  [8, '36 25 14'],
  [9, '123 456'],
])('an image with orientation %i is turned to %s', (orientation, wanted) => {
  const { width, height, data } = turnImage(IMAGE, orientation)
  const rows = Array.from({ length: height }, (_, y) =>
    data.slice(y * width, (y + 1) * width).join(''),
  )
  expect(rows.join(' ')).toBe(wanted)
})

/** The beginning of a JPEG with one EXIF tag. */
const jpegWith = (tag: number, value: number, isLittle: boolean): Uint8Array => {
  const bytes = new Uint8Array(2 + 4 + 6 + 8 + 2 + 12 + 4)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, 0xffd8ffe1)
  view.setUint16(4, bytes.length - 4)
  bytes.set(new TextEncoder().encode('Exif'), 6)
  view.setUint16(12, isLittle ? 0x4949 : 0x4d4d)
  view.setUint32(16, 8, isLittle)
  view.setUint16(20, 1, isLittle)
  view.setUint16(22, tag, isLittle)
  view.setUint16(30, value, isLittle)
  return bytes
}

it('the orientation of a JPEG is that of its EXIF data', () => {
  expect(jpegOrientation(jpegWith(0x0112, 6, true))).toBe(6)
  expect(jpegOrientation(jpegWith(0x0112, 8, false))).toBe(8)
  expect(jpegOrientation(jpegWith(0x0100, 6, true))).toBe(1)
  expect(jpegOrientation(jpegWith(0x0112, 6, true).subarray(0, 24))).toBe(1)
  expect(jpegOrientation(new Uint8Array([0xff, 0xd8]))).toBe(1)
})
