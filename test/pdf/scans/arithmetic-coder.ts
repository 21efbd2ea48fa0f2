/** Writes bits and numbers in the arithmetic code of JBIG2 (ITU-T T.88, annexes A and E). */

/** Probability, next state after the likelier bit, after the other, and whether the likelier bit changes (table E.1). */
const STATES =
  `5601 1 1 1,3401 2 6 0,1801 3 9 0,0AC1 4 12 0,0521 5 29 0,0221 38 33 0,5601 7 6 1,5401 8 14 0,4801 9 14 0,3801 10 14 0,
3001 11 17 0,2401 12 18 0,1C01 13 20 0,1601 29 21 0,5601 15 14 1,5401 16 14 0,5101 17 15 0,4801 18 16 0,3801 19 17 0,3401 20 18 0,
3001 21 19 0,2801 22 19 0,2401 23 20 0,2201 24 21 0,1C01 25 22 0,1801 26 23 0,1601 27 24 0,1401 28 25 0,1201 29 26 0,1101 30 27 0,
0AC1 31 28 0,09C1 32 29 0,08A1 33 30 0,0521 34 31 0,0441 35 32 0,02A1 36 33 0,0221 37 34 0,0141 38 35 0,0111 39 36 0,0085 40 37 0,
0049 41 38 0,0025 42 39 0,0015 43 40 0,0009 44 41 0,0005 45 42 0,0001 45 43 0,5601 46 46 0`
    .split(',')
    .map((row) => row.trim().split(' '))
    .map(([qe = '', more, less, turns]) => ({
      qe: Number.parseInt(qe, 16),
      more: Number(more),
      less: Number(less),
      turns: turns === '1',
    }))

type Context = { state: number; likely: number }

/** The arithmetic coder of annex E. */
export const arithmeticCoder = () => {
  const out: number[] = [0]
  const contexts = new Map<string, Context>()
  let [a, c, left] = [0x8000, 0, 12]
  const byteOut = (): void => {
    const last = out.length - 1
    if (out[last] !== 0xff && c >= 0x8000000) {
      out[last] = (out[last] ?? 0) + 1
      c &= 0x7ffffff
    }
    const isStuffed = out[last] === 0xff
    out.push((c >>> (isStuffed ? 20 : 19)) & 0xff)
    c &= isStuffed ? 0xfffff : 0x7ffff
    left = isStuffed ? 7 : 8
  }
  const renormalise = (): void => {
    do {
      a = (a << 1) & 0xffff
      c *= 2
      left -= 1
      if (left === 0) byteOut()
    } while ((a & 0x8000) === 0)
  }
  const bit = (name: string, value: number): void => {
    const context = contexts.get(name) ?? { state: 0, likely: 0 }
    contexts.set(name, context)
    const state = STATES[context.state]
    if (state === undefined) throw new Error('no such state')
    const isLikely = value === context.likely
    a -= state.qe
    if (isLikely && (a & 0x8000) !== 0) {
      c += state.qe
      return
    }
    // the smaller half goes to the less likely bit
    if (isLikely === a < state.qe) a = state.qe
    else c += state.qe
    if (!isLikely && state.turns) context.likely = value
    context.state = isLikely ? state.more : state.less
    renormalise()
  }
  const end = (): Buffer => {
    const most = c + a
    c = Math.floor(c / 0x10000) * 0x10000 + 0xffff
    if (c >= most) c -= 0x8000
    for (let times = 0; times < 2; times += 1) {
      c *= 2 ** left
      byteOut()
    }
    if (out.at(-1) === 0xff) out.pop()
    return Buffer.from([...out.slice(1), 0xff, 0xac])
  }
  return { bit, end }
}

export type Coder = ReturnType<typeof arithmeticCoder>

/** The bits of each range of numbers: its start, and how many bits it has (table A.1). */
const RANGES = [
  [0, 2],
  [4, 4],
  [20, 6],
  [84, 8],
  [340, 12],
  [4_436, 32],
] as const

/** Writes a number; null is "out of band". */
export const writeNumber = ({ bit }: Coder, name: string, value: number | null): void => {
  let before = 1
  const put = (digit: number): void => {
    bit(`${name} ${before}`, digit)
    before = before < 256 ? before * 2 + digit : ((before * 2 + digit) & 511) | 256
  }
  const size = Math.abs(value ?? 0)
  const range = RANGES.findLastIndex(([start]) => size >= start)
  const [start, bits] = RANGES[range] ?? RANGES[0]
  put(value === null || value < 0 ? 1 : 0)
  for (let step = 0; step < range; step += 1) put(1)
  if (range < RANGES.length - 1) put(0)
  for (let at = bits - 1; at >= 0; at -= 1) put(Math.floor((size - start) / 2 ** at) % 2)
}
