/**
 * A picture of a page as a small PNG: pages have few colours, so 256 of them are kept, and what else the edges of
 * letters have becomes the nearest of these. A third of what the browser writes; nobody sees a difference.
 */
import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

const COLOURS = 256
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce((sum, shift) => {
    const difference = ((one >> shift) & 255) - ((other >> shift) & 255)
    return sum + difference * difference
  }, 0)

/** The most frequent colours: grounds, lines, text. */
const FREQUENT = 64

type Candidate = { readonly colour: number; readonly count: number; off: number }

/** What is left worst by the palette so far, by how much of it there is: a rare hue is kept before one more grey. */
const worst = (candidates: readonly Candidate[]): Candidate | undefined => {
  let found: Candidate | undefined
  for (const each of candidates) {
    if (found === undefined || each.off * each.count > found.off * found.count) found = each
  }
  return found
}

const choosePalette = (byCount: readonly (readonly [number, number])[]): readonly number[] => {
  const palette = byCount.slice(0, FREQUENT).map(([colour]) => colour)
  const nearest = (colour: number): number =>
    Math.min(...palette.map((each) => distance(each, colour)))
  const candidates = byCount
    .slice(FREQUENT)
    .map(([colour, count]): Candidate => ({ colour, count, off: nearest(colour) }))
  while (palette.length < COLOURS) {
    const next = worst(candidates)
    if (next === undefined || next.off === 0) break
    palette.push(next.colour)
    for (const each of candidates) {
      each.off = Math.min(each.off, distance(each.colour, next.colour))
    }
  }
  return palette
}

/** Index of the palette by colour. */
const assign = (
  counts: ReadonlyMap<number, number>,
): Readonly<{ palette: readonly number[]; indexes: ReadonlyMap<number, number> }> => {
  const palette = choosePalette([...counts].toSorted(([, a], [, b]) => b - a))
  const indexes = new Map(
    [...counts.keys()].map((colour) => {
      const distances = palette.map((each) => distance(each, colour))
      return [colour, distances.indexOf(Math.min(...distances))]
    }),
  )
  return { palette, indexes }
}

/** @param bytes a PNG without transparency */
export const pressPicture = (bytes: Buffer): Buffer => {
  const { width, height, data } = PNG.sync.read(bytes)
  const colours = Array.from({ length: width * height }, (_, at) => data.readUIntBE(at * 4, 3))
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const { palette, indexes } = assign(counts)
  const rows = Buffer.alloc((width + 1) * height)
  for (const [at, colour] of colours.entries()) {
    // each row begins with its filter: none
    rows[at + Math.floor(at / width) + 1] = indexes.get(colour) ?? 0
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // eight bits, by palette
  head.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk(
      'PLTE',
      Buffer.from(palette.flatMap((each) => [each >> 16, (each >> 8) & 255, each & 255])),
    ),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
