/**
 * Repairs letters that Ghostscript 10.00 destroyed. It rewrites a font's Unicode map, and replaces the two bytes of
 * each letter in a range by their union, so that 부 (BD 80) becomes ½ (00 BD). The codes of the font are still in the
 * order of its letters, from which the letter follows, and the union of its bytes confirms it.
 */

/** Letters by the codes of one font. */
export type Letters = ReadonlyMap<number, string>

const FIRST_HANGUL = 0xac00
const LAST_HANGUL = 0xd7a3
/** KS X 1001 has 25 rows of 94 of the most frequent Hangul. Many fonts contain only these, in order. */
const KS_ROWS = 25
const KS_COLUMNS = 94
const FIRST_ROW = 0xb0
const FIRST_COLUMN = 0xa1

/** Signs of the form, which a font has between Latin and Hangul. ㎥ is left out, because its union would be the dot in 위·변조. */
const SIGNS = [...'【】「」『』〔〕《》〈〉‘’“”㎡※→○●△▲□■・…'].map(
  (sign) => sign.codePointAt(0) ?? 0,
)

/** In a longer range, the code points count up from the union of the first one. */
const LONGEST_RANGE = 16

const union = (point: number): number => (point >> 8) | (point & 0xff)

/** Whether `left` is what remains of the letter. */
const remainsOf = (point: number, left: number): boolean => {
  for (let at = 0; at < LONGEST_RANGE; at += 1) if (union(point - at) + at === left) return true
  return false
}

const frequentHangul = (): readonly number[] => {
  const bytes = Array.from({ length: KS_ROWS * KS_COLUMNS }, (_, at) => [
    FIRST_ROW + Math.floor(at / KS_COLUMNS),
    FIRST_COLUMN + (at % KS_COLUMNS),
  ])
  const text = new TextDecoder('euc-kr').decode(new Uint8Array(bytes.flat()))
  return [...text].map((letter) => letter.codePointAt(0) ?? 0)
}

const isForeign = (point: number): boolean => point >= 0x80 && point <= 0xff

/** A code and the code point that the map gives it. */
type Point = Readonly<{ code: number; point: number }>

/** The longest subsequence in which points rise with their codes. Damaged letters are not part of it. */
const risingOf = (points: readonly Point[]): readonly Point[] => {
  const ends: Point[] = []
  const before = new Map<Point, Point | undefined>()
  for (const one of points) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle]?.point ?? 0) < one.point) low = middle + 1
      else high = middle
    }
    before.set(one, ends[low - 1])
    ends[low] = one
  }
  const rising: Point[] = []
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) rising.push(at)
  return rising.reverse()
}

/** Code points of Hangul in the order of a font, and the position of each. */
type Order = Readonly<{ points: readonly number[]; placeOf: ReadonlyMap<number, number> }>

const toOrder = (points: readonly number[]): Order => ({
  points,
  placeOf: new Map(points.map((point, at) => [point, at])),
})

/** How many adjacent letters are as far apart in the order as their codes are. */
const agreement = (rising: readonly Point[], { placeOf }: Order): number =>
  rising.filter(({ code, point }, at) => {
    const before = rising[at - 1]
    const place = placeOf.get(point)
    const last = before === undefined ? undefined : placeOf.get(before.point)
    if (before === undefined || place === undefined || last === undefined) return false
    return place - last === code - before.code
  }).length

const orderOf = (rising: readonly Point[]): Order => {
  const all = Array.from({ length: LAST_HANGUL - FIRST_HANGUL + 1 }, (_, at) => FIRST_HANGUL + at)
  const [best, other] = [toOrder(all), toOrder(frequentHangul())]
  return agreement(rising, other) > agreement(rising, best) ? other : best
}

type Neighbours = Readonly<{ below: Point | undefined; above: Point | undefined }>

/** The letters at the code's distance from each neighbour, and otherwise the signs of the form between the two. */
const candidates = (
  code: number,
  { below, above }: Neighbours,
  order: Order,
): readonly number[] => {
  const hangul = [below, above].flatMap((neighbour) => {
    const place = neighbour === undefined ? undefined : order.placeOf.get(neighbour.point)
    const point =
      place === undefined ? undefined : order.points[place + code - (neighbour?.code ?? 0)]
    return point ?? []
  })
  return [...hangul, ...SIGNS]
}

/**
 * Finds the letters of a font that its Unicode map has lost.
 * @returns the destroyed letters by their codes, without those that stay unknown
 */
export const repairLetters = (letters: Letters): Letters => {
  const points = [...letters]
    .filter(([, letter]) => [...letter].length === 1)
    .map(([code, letter]): Point => ({ code, point: letter.codePointAt(0) ?? 0 }))
    .toSorted((a, b) => a.code - b.code)
  const rising = risingOf(points.filter(({ point }) => !isForeign(point)))
  const kept = new Set(rising)
  const damaged = points.filter((one) => !kept.has(one) && one.point <= 0xff)
  if (damaged.length === 0) return new Map()
  const order = orderOf(rising)
  const repaired = damaged.flatMap(({ code, point }): readonly (readonly [number, string])[] => {
    const above = rising.find((one) => one.code > code)
    const below = rising.findLast((one) => one.code < code)
    const found = candidates(code, { below, above }, order).find(
      (one) =>
        remainsOf(one, point) &&
        one > (below?.point ?? 0) &&
        one < (above?.point ?? Number.POSITIVE_INFINITY),
    )
    return found === undefined ? [] : [[code, String.fromCodePoint(found)]]
  })
  return new Map(repaired)
}
