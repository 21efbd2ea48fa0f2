/** Extracts ranks, sections and owners from the text of a purpose. */
const RANK = '\\d+(?:-\\d+)*'
/** What separates two ranks. Some prints have no comma: `3번가압류 4번압류`, `2번한다솜지분 3번문새벽지분`. */
const BETWEEN = '[,·]|및|과|와'
const SECTION = '(갑구|을구)?(?:순위)?제?'
/** A rank or a range of ranks. Only the last rank of a list need have 번: `3, 4, 5번`. */
const NAMED =
  `${SECTION}(${RANK})(?:번?(?:내지|부터|[~∼])제?(${RANK})번(?:까지)?|번-제?(${RANK})번|번` +
  `|(?=(?:${BETWEEN})(?:갑구|을구|순위|제)*${RANK}(?:번|${BETWEEN}|내지|부터|[~∼])))`
const LEADING = new RegExp(`^(?:${BETWEEN})?${NAMED}`)
/** A name directly behind a rank that looks like a rank: `2번11번가주식회사지분`. */
const NAME_LIKE_RANK = /^\d+번가(?!압류|등기|처분)/
/** The ends of words before a rank that no comma separates from them. */
const ENDS = '(?<=지분|압류|처분|[당세차상역]권|등기|결정|신청|공고|설정|이전|말소)'
const LATER = new RegExp(`(?:${BETWEEN}|${ENDS})${NAMED}`, 'g')
const IMPORT = /^(?:합병|구분|분할)(?:한|하여|으로인하여)[^이]*?(?:이기|전사)(?=.)/
const LONGEST_RANGE = 200

export type Section = 'section_a' | 'section_b'

/** A rank that a purpose names, and the text about it. */
export type NamedRank = Readonly<{
  rank: string
  /** The section that the purpose names before the rank or an earlier one, or null. */
  section: Section | null
  /** The text about the rank: `2번가압류,3번소유권이전등기말소` has 가압류 and 소유권이전등기말소. */
  wording: string
}>

export type PurposeText = Readonly<{
  targets: readonly NamedRank[]
  /** The text from the leading ranks up to the next rank, from which the right is read. */
  core: string
  /** The text from the leading ranks to the end. */
  rest: string
}>

/** Splits `1-3` into `1-` and 3, and `3` into an empty text and 3. */
const splitRank = (rank: string): readonly [before: string, last: number] => {
  const at = rank.lastIndexOf('-') + 1
  return [rank.slice(0, at), Number(rank.slice(at))]
}

const expandRange = (from: string, to: string): readonly string[] => {
  const [before, first] = splitRank(from)
  const [beforeTo, last] = splitRank(to)
  const isRange = before === beforeTo && last > first
  if (!isRange || last - first > LONGEST_RANGE) return [from, to]
  return Array.from({ length: last - first + 1 }, (_, index) => `${before}${first + index}`)
}

const ranksOf = ([, , rank = '', to, toByHyphen]: RegExpExecArray): readonly string[] => {
  const last = to ?? toByHyphen
  return last === undefined ? [rank] : expandRange(rank, last)
}

type Named = Readonly<{ found: RegExpExecArray; wording: string }>

/** Ranks without a text, or with the beginning of the last one (`1번근저당권,2번근저당권변경`), share the text behind them. */
const targetsOf = (named: readonly Named[]): readonly NamedRank[] => {
  const last = named.at(-1)?.wording ?? ''
  const texts = named.map(({ wording }) => (last.startsWith(wording) && wording ? last : wording))
  const targets = new Map<string, NamedRank>()
  let section: Section | null = null
  for (const [at, { found }] of named.entries()) {
    const [, printed] = found
    if (printed !== undefined) section = printed === '갑구' ? 'section_a' : 'section_b'
    const wording = texts.slice(at).find((text) => text !== '') ?? ''
    for (const rank of ranksOf(found)) {
      const key = `${section} ${rank}`
      // `2번소유권이전,2번신탁등기말소` is about both
      targets.set(key, { rank, section, wording: `${targets.get(key)?.wording ?? ''}${wording}` })
    }
  }
  return [...targets.values()]
}

/** Reads the ranks of a purpose without blanks, such as `4번압류,5번내지7번가압류등기말소`, `1번내지3번…` or `갑구5번…`. */
export const readPurposeText = (normalized: string): PurposeText => {
  let rest = normalized.replace(IMPORT, '')
  const leading: Named[] = []
  for (let found = LEADING.exec(rest); found !== null; found = LEADING.exec(rest)) {
    rest = rest.slice(found[0].length)
    leading.push({ found, wording: '' })
    if (NAME_LIKE_RANK.test(rest)) break
  }
  if (leading.length === 0) return { targets: [], core: rest, rest }
  const later = [...rest.matchAll(LATER)]
  const core = rest.slice(0, later[0]?.index)
  const named = [
    ...leading.map((each, at) => (at === leading.length - 1 ? { ...each, wording: core } : each)),
    ...later.map((found, at) => ({
      found,
      wording: rest.slice(found.index + found[0].length, later[at + 1]?.index),
    })),
  ]
  return { targets: targetsOf(named), core, rest }
}
