/**
 * Identifies the letters of fonts that have no Unicode map. OCR reads lines of glyphs. If it
 * reads as many letters as a line has glyphs, each letter is a vote for its glyph. A glyph
 * occurs in several lines, and two glyphs never have the same letter.
 */
import type { Glyph } from '#pdf/page-glyphs.ts'
import type { Outline } from '#pdf/read-glyphs.ts'
import { drawGlyphs } from './draw-glyphs.ts'
import type { OcrEngine, ReadText } from './engine.ts'
import { correctByWords } from './form-words.ts'
import { signOf } from './glyph-signs.ts'

/** A glyph and its start, in font sizes from the start of its line. */
export type LineGlyph = Readonly<{ glyph: Glyph; x: number }>
export type GlyphLine = readonly LineGlyph[]

/** In how many lines a glyph is read, if it occurs in that many. */
const WANTED = 4
/** Maximum number of glyphs to read at once. With fewer, the engine lacks context. */
const LONGEST = 22
const SHORTEST = 2
/** Font sizes, because a hostile file may place glyphs anywhere. */
const WIDEST_LINE = 3 * LONGEST
/** The share of votes from which a letter is certain. */
const SURE = 0.6

type Votes = Map<string, Map<string, number>>
export type NamedLetters = Readonly<{
  letters: ReadonlyMap<string, string>
  doubtful: ReadonlySet<string>
}>

const isHangul = (letter: string): boolean => /[가-힣]/.test(letter)
const widthOf = ({ from, to }: Glyph): number => to - from
/** Hangul is as wide as high; digits, Latin letters and most signs are narrow. */
const WIDE = 0.75

/** Excludes isolated parts of a syllable, and letters of another width. */
const isPossible = (letter: string, glyph: Glyph): boolean =>
  widthOf(glyph) < WIDE ? !isHangul(letter) : !/[ㄱ-ㅣ\dA-Za-z.,:()/*-]/.test(letter)

const read = (
  engine: OcrEngine,
  line: GlyphLine,
  outlines: ReadonlyMap<string, Outline>,
): ReadText => {
  const start = line[0]?.x ?? 0
  const end = line.at(-1)
  const placed = line.flatMap(({ glyph, x }) => {
    const outline = outlines.get(glyph.shape)
    return outline === undefined ? [] : [{ outline, x: x - start }]
  })
  const width = end === undefined ? 0 : end.x + widthOf(end.glyph) - start
  if (!(width > 0 && width < WIDEST_LINE)) return { text: '', confidence: 0 }
  return engine.read(drawGlyphs(placed, width), {
    mode: line.length === 1 ? 'letter' : 'line',
    signs: null,
  })
}

/** OCR cannot distinguish 빚 (debt) from 빛 (light). Names and addresses never contain the first, but often the second. */
const LOOK_ALIKE: ReadonlyMap<string, string> = new Map([['빚', '빛']])

const addVote = (votes: Votes, shape: string, read: string, weight: number): void => {
  const letter = LOOK_ALIKE.get(read) ?? read
  const known = votes.get(shape) ?? new Map<string, number>()
  votes.set(shape, known.set(letter, (known.get(letter) ?? 0) + weight))
}

/** Lets the engine read a line, and its halves if the number of letters differs. */
const voteOn = (line: GlyphLine, votes: Votes, look: (line: GlyphLine) => ReadText): void => {
  const { text, confidence } = look(line)
  const letters = [...text.replace(/\s+/g, '')]
  if (letters.length === line.length) {
    for (const [at, { glyph }] of line.entries()) {
      const letter = letters[at] ?? ''
      if (isPossible(letter, glyph)) addVote(votes, glyph.shape, letter, confidence + 1)
    }
    return
  }
  if (line.length < SHORTEST * 2) return
  const middle = line.length >> 1
  voteOn(line.slice(0, middle), votes, look)
  voteOn(line.slice(middle), votes, look)
}

/** Parts of lines between known glyphs, none longer than what is read at once. */
const stretchesOf = (line: GlyphLine, known: ReadonlyMap<string, string>): readonly GlyphLine[] => {
  const stretches: LineGlyph[][] = [[]]
  for (const one of line) {
    if (known.has(one.glyph.shape)) stretches.push([])
    else if ((stretches.at(-1)?.length ?? 0) >= LONGEST) stretches.push([one])
    else stretches.at(-1)?.push(one)
  }
  return stretches.filter((stretch) => stretch.length > 0)
}

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** Gives each glyph its letter, the most certain first. A letter that is taken goes to no other glyph of the font. */
const elect = (votes: Votes): NamedLetters => {
  const candidates = [...votes].flatMap(([shape, counts]) =>
    [...counts].map(([letter, count]) => ({ shape, letter, count, share: count / total(counts) })),
  )
  const letters = new Map<string, string>()
  const doubtful = new Set<string>()
  const taken = new Set<string>()
  for (const { shape, letter, share } of candidates.toSorted((a, b) => b.count - a.count)) {
    const key = `${shape.slice(0, shape.indexOf('_path_'))} ${letter}`
    if (letters.has(shape) || taken.has(key)) continue
    letters.set(shape, letter)
    taken.add(key)
    if (share < SURE) doubtful.add(shape)
  }
  return { letters, doubtful }
}

const signsIn = (
  lines: readonly GlyphLine[],
  outlines: ReadonlyMap<string, Outline>,
): ReadonlyMap<string, string> => {
  const known = new Map<string, string>()
  for (const { glyph } of lines.flat()) {
    const outline = outlines.get(glyph.shape)
    const sign = outline === undefined ? null : signOf(outline, widthOf(glyph))
    if (sign !== null) known.set(glyph.shape, sign)
  }
  return known
}

/** A word of the form outvotes one reading by OCR, wherever it is printed. */
const WORD_VOTE = 150

const voteByWords = (
  lines: readonly GlyphLine[],
  votes: Votes,
  letters: ReadonlyMap<string, string>,
): void => {
  for (const line of lines) {
    for (const { at, letter } of correctByWords(lettersOf(line, letters))) {
      const glyph = line[at]?.glyph
      if (glyph !== undefined && isPossible(letter, glyph)) {
        addVote(votes, glyph.shape, letter, WORD_VOTE)
      }
    }
  }
}

/** Returns the known letters of a line, empty for unknown ones. */
const lettersOf = (line: GlyphLine, letters: ReadonlyMap<string, string>): readonly string[] =>
  line.map(({ glyph }) => letters.get(glyph.shape) ?? '')

/** A glyph that OCR cannot identify, and that always follows a digit, is ㎡. */
const nameMetres = (
  lines: readonly GlyphLine[],
  letters: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> => {
  const before = new Map<string, boolean[]>()
  for (const line of lines) {
    for (const [at, { glyph }] of line.entries()) {
      if (letters.has(glyph.shape) || widthOf(glyph) < WIDE) continue
      const last = letters.get(line[at - 1]?.glyph.shape ?? '') ?? ''
      before.set(glyph.shape, [...(before.get(glyph.shape) ?? []), /\d/.test(last)])
    }
  }
  return new Map(
    [...before].filter(([, each]) => each.every(Boolean)).map(([shape]) => [shape, '㎡']),
  )
}

/** @param lines of glyphs without a letter; blanks are left out */
export const nameLetters = (
  engine: OcrEngine,
  lines: readonly GlyphLine[],
  outlines: ReadonlyMap<string, Outline>,
): NamedLetters => {
  const known = signsIn(lines, outlines)
  const votes: Votes = new Map()
  const seen = new Map<string, number>()
  const look = (line: GlyphLine): ReadText => read(engine, line, outlines)
  const stretches = lines.flatMap((line) => stretchesOf(line, known))
  for (const stretch of stretches.toSorted((a, b) => b.length - a.length)) {
    const shapes = stretch.map(({ glyph }) => glyph.shape)
    if (shapes.every((shape) => (seen.get(shape) ?? 0) >= WANTED)) continue
    for (const shape of new Set(shapes)) seen.set(shape, (seen.get(shape) ?? 0) + 1)
    voteOn(stretch, votes, look)
  }
  // a glyph without votes is read alone
  const lone = new Map(stretches.flat().map((one) => [one.glyph.shape, one]))
  for (const [shape, one] of lone) if (!votes.has(shape)) voteOn([one], votes, look)
  voteByWords(lines, votes, new Map([...elect(votes).letters, ...known]))
  const { letters, doubtful } = elect(votes)
  const named = new Map([...letters, ...known])
  const hasMetres = [...named.values()].includes('㎡')
  const metres = hasMetres ? [] : nameMetres(lines, named)
  return { letters: new Map([...named, ...metres]), doubtful }
}
