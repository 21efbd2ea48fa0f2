/** Writes JBIG2 (ITU-T T.88) as black-and-white scanners do: a page as one region, or as letters that repeat. */

import { arithmeticCoder, type Coder, writeNumber } from './arithmetic-coder.ts'

export type Bits = Readonly<{
  width: number
  height: number
  /** 1 is black. */
  at: (x: number, y: number) => number
}>

/** The neighbours by which template 0 predicts a pixel, from the highest bit to the lowest (figure 3). */
const NEIGHBOURS = [
  [-2, -2],
  [-1, -2],
  [0, -2],
  [1, -2],
  [2, -2],
  [-3, -1],
  [-2, -1],
  [-1, -1],
  [0, -1],
  [1, -1],
  [2, -1],
  [3, -1],
  [-4, 0],
  [-3, 0],
  [-2, 0],
  [-1, 0],
] as const
/** The four of them that may lie elsewhere. */
const ADAPTIVE = [0x03, 0xff, 0xfd, 0xff, 0x02, 0xfe, 0xfe, 0xfe]

const writeBits = ({ bit }: Coder, { width, height, at }: Bits): void => {
  const inside = (x: number, y: number): number => (x < 0 || y < 0 || x >= width ? 0 : at(x, y))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let context = 0
      for (const [dx, dy] of NEIGHBOURS) context = context * 2 + inside(x + dx, y + dy)
      bit(`pixel ${context}`, at(x, y))
    }
  }
}

export const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}

/** A segment. @param page 0 if it belongs to all pages */
export const segment = (
  [number, type, page]: readonly [number: number, type: number, page: number],
  data: Uint8Array,
  refersTo: readonly number[] = [],
): Buffer =>
  Buffer.concat([
    numbers(number),
    Buffer.from([type, refersTo.length << 5, ...refersTo, page]),
    numbers(data.length),
    data,
  ])

export const PAGE_INFO = 48
const [DICTIONARY, TEXT, GENERIC] = [0, 6, 38]
const NO_STRIPES = [0, 0, 0]

export const pageInfo = (width: number, height: number): Buffer =>
  segment([1, PAGE_INFO, 1], Buffer.concat([numbers(width, height, 0, 0), Buffer.from(NO_STRIPES)]))

const genericRegion = (number: number, bits: Bits): Buffer => {
  const coder = arithmeticCoder()
  writeBits(coder, bits)
  const head = Buffer.from([0, 0, ...ADAPTIVE])
  const data = Buffer.concat([numbers(bits.width, bits.height, 0, 0), head, coder.end()])
  return segment([number, GENERIC, 1], data)
}

/** A page as one region. */
export const asRegion = (bits: Bits): Buffer =>
  Buffer.concat([pageInfo(bits.width, bits.height), genericRegion(2, bits)])

/** A page as one region in the code of CCITT fax, group 4. */
export const asFaxRegion = ({ width, height }: Bits, fax: Uint8Array): Buffer =>
  Buffer.concat([
    pageInfo(width, height),
    segment(
      [2, GENERIC, 1],
      Buffer.concat([numbers(width, height, 0, 0), Buffer.from([0, 1]), fax]),
    ),
  ])

type Letter = Bits & Readonly<{ left: number; top: number; key: string }>

const MOST_SIDE = 90

/** Connected black pixels, if they are as small as a letter. */
const lettersOf = ({ width, height, at }: Bits): readonly Letter[] => {
  const seen = new Uint8Array(width * height)
  const fill = (start: number): readonly number[] => {
    const found = [start]
    seen[start] = 1
    for (const pixel of found) {
      const [x, y] = [pixel % width, Math.floor(pixel / width)]
      for (let step = 0; step < 9; step += 1) {
        const [nx, ny] = [x + (step % 3) - 1, y + Math.floor(step / 3) - 1]
        const next = ny * width + nx
        if (nx < 0 || ny < 0 || nx >= width || ny >= height || seen[next] === 1) continue
        if (at(nx, ny) === 0) continue
        seen[next] = 1
        found.push(next)
      }
    }
    return found
  }
  const letters: Letter[] = []
  for (let start = 0; start < width * height; start += 1) {
    if (seen[start] === 1 || at(start % width, Math.floor(start / width)) === 0) continue
    const pixels = fill(start)
    const [xs, ys] = [
      pixels.map((one) => one % width),
      pixels.map((one) => Math.floor(one / width)),
    ]
    const bound = (all: readonly number[], pick: (a: number, b: number) => number): number =>
      all.reduce((best, one) => pick(best, one))
    const [left, top] = [bound(xs, Math.min), bound(ys, Math.min)]
    const size = { width: bound(xs, Math.max) - left + 1, height: bound(ys, Math.max) - top + 1 }
    if (Math.max(size.width, size.height) > MOST_SIDE) continue
    const black = new Set(pixels.map((one) => one - top * width - left))
    const key = [size.width, size.height, ...[...black].toSorted((a, b) => a - b)].join()
    letters.push({ ...size, left, top, key, at: (x, y) => (black.has(y * width + x) ? 1 : 0) })
  }
  return letters
}

const dictionary = (symbols: readonly Letter[]): Buffer => {
  const coder = arithmeticCoder()
  let [height, width] = [0, 0]
  for (const [at, symbol] of symbols.entries()) {
    if (symbol.height !== height) {
      if (at > 0) writeNumber(coder, 'IADW', null)
      writeNumber(coder, 'IADH', symbol.height - height)
      width = 0
    }
    writeNumber(coder, 'IADW', symbol.width - width)
    ;({ width, height } = symbol)
    writeBits(coder, symbol)
  }
  writeNumber(coder, 'IADW', null)
  writeNumber(coder, 'IAEX', 0)
  writeNumber(coder, 'IAEX', symbols.length)
  const count = numbers(symbols.length, symbols.length)
  return Buffer.concat([Buffer.from([0, 0, ...ADAPTIVE]), count, coder.end()])
}

/** Where letters stand, by their upper left corner, from the top down. */
const textRegion = (
  { width, height }: Bits,
  letters: readonly Letter[],
  symbols: readonly Letter[],
): Buffer => {
  const coder = arithmeticCoder()
  const places = new Map(symbols.map(({ key }, at) => [key, at]))
  const length = Math.ceil(Math.log2(symbols.length))
  let [top, first, at] = [0, 0, 0]
  writeNumber(coder, 'IADT', 0)
  for (const [index, letter] of letters.entries()) {
    const isNewRow = index === 0 || letter.top !== top
    if (isNewRow) {
      if (index > 0) writeNumber(coder, 'IADS', null)
      writeNumber(coder, 'IADT', letter.top - top)
      writeNumber(coder, 'IAFS', letter.left - first)
      first = letter.left
      top = letter.top
    } else writeNumber(coder, 'IADS', letter.left - at)
    const place = places.get(letter.key) ?? 0
    let before = 1
    for (let digit = length - 1; digit >= 0; digit -= 1) {
      const value = (place >> digit) & 1
      coder.bit(`IAID ${before}`, value)
      before = before * 2 + value
    }
    at = letter.left + letter.width - 1
  }
  writeNumber(coder, 'IADS', null)
  const upperLeft = Buffer.from([0, 0x00, 0x10])
  const count = numbers(letters.length)
  return Buffer.concat([numbers(width, height, 0, 0), upperLeft, count, coder.end()])
}

/** A page as letters that repeat, in a dictionary that pages may share, over a region with the rest. */
export const asLetters = (bits: Bits): Readonly<{ shared: Buffer; page: Buffer }> => {
  const letters = lettersOf(bits).toSorted((a, b) => a.top - b.top || a.left - b.left)
  const symbols = [...new Map(letters.map((one) => [one.key, one])).values()].toSorted(
    (a, b) => a.height - b.height || a.width - b.width,
  )
  const rest = new Uint8Array(bits.width * bits.height)
  for (const at of rest.keys()) rest[at] = bits.at(at % bits.width, Math.floor(at / bits.width))
  for (const letter of letters) {
    for (let at = 0; at < letter.width * letter.height; at += 1) {
      const [x, y] = [at % letter.width, Math.floor(at / letter.width)]
      if (letter.at(x, y) === 1) rest[(letter.top + y) * bits.width + letter.left + x] = 0
    }
  }
  const remaining = { ...bits, at: (x: number, y: number) => rest[y * bits.width + x] ?? 0 }
  return {
    shared: segment([0, DICTIONARY, 0], dictionary(symbols)),
    page: Buffer.concat([
      pageInfo(bits.width, bits.height),
      genericRegion(2, remaining),
      segment([3, TEXT, 1], textRegion(bits, letters, symbols), [0]),
    ]),
  }
}
