import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { pressPicture } from './press-picture.ts'

const WIDTH = 40
const HEIGHT = 30

const paint = (colourAt: (x: number, y: number) => number): PNG => {
  const picture = new PNG({ width: WIDTH, height: HEIGHT })
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      picture.data.writeUInt32BE(((colourAt(x, y) << 8) | 255) >>> 0, (y * WIDTH + x) * 4)
    }
  }
  return picture
}
const pressed = (picture: PNG): PNG => PNG.sync.read(pressPicture(PNG.sync.write(picture)))

test('a picture of few colours is the same after it was pressed', () => {
  const picture = paint((x, y) => (x < 10 ? 0xffffff : y * 1_000))
  const { width, height, data } = pressed(picture)
  expect([width, height]).toEqual([WIDTH, HEIGHT])
  expect(Buffer.compare(data, picture.data)).toBe(0)
})

test('of many greys and one rare hue, the hue is kept', () => {
  // 900 colours near grey, and a red dot
  const picture = paint((x, y) =>
    x === 0 && y === 0 ? 0xb6232b : 0x303030 + x * 0x10204 + (y << 9),
  )
  const { data } = pressed(picture)
  expect(data.readUIntBE(0, 3)).toBe(0xb6232b)
})
