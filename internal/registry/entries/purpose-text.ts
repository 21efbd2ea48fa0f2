/** Extracts ranks, sections and owners from the text of a purpose. */
const RANK = '\\d+(?:-\\d+)*'
const LEADING = new RegExp(`^(?:,|및|과|와)?(갑구|을구)?(?:순위)?제?(${RANK})(번|(?=,|내지|~|및))`)
const RANGE_END = new RegExp(`^(?:내지|~|-)제?(${RANK})번`)
const LATER = new RegExp(`[,및](갑구|을구)?(${RANK})번`, 'g')
const IMPORT = /^(?:합병|구분|분할)(?:한|하여|으로인하여)[^이]*?(?:이기|전사)(?=.)/
const LONGEST_RANGE = 200

export type Section = 'section_a' | 'section_b'

/** The ranks that a purpose names, with their section. */
export type PurposeText = Readonly<{
  targets: readonly string[]
  /** The section of the ranks, if the purpose names one. */
  targetSection: Section | null
  /** The text from the leading ranks up to the next rank, from which the right is read. */
  core: string
  /** The text from the leading ranks to the end. */
  rest: string
}>

const expandRange = (from: string, to: string): readonly string[] => {
  const first = Number(from)
  const last = Number(to)
  const isRange = Number.isInteger(first) && Number.isInteger(last) && last > first
  if (!isRange || last - first > LONGEST_RANGE) return [from, to]
  return Array.from({ length: last - first + 1 }, (_, index) => String(first + index))
}

/** Reads the ranks of a purpose without blanks, such as `4번압류,5번압류,6번가압류등기말소`, `1번내지3번…` or `갑구5번…`. */
export const readPurposeText = (normalized: string): PurposeText => {
  let rest = normalized.replace(IMPORT, '')
  const targets: string[] = []
  let targetSection: Section | null = null
  for (let found = LEADING.exec(rest); found !== null; found = LEADING.exec(rest)) {
    const [all, section, rank = ''] = found
    if (section !== undefined) targetSection = section === '갑구' ? 'section_a' : 'section_b'
    rest = rest.slice(all.length)
    const range = RANGE_END.exec(rest)
    targets.push(...(range === null ? [rank] : expandRange(rank, range[1] ?? rank)))
    if (range !== null) rest = rest.slice(range[0].length)
  }
  const later = [...rest.matchAll(LATER)].map((found) => found[2] ?? '')
  const core =
    targets.length === 0 ? rest : (rest.split(/[,및](?=(?:갑구|을구)?\d+(?:-\d+)*번)/)[0] ?? rest)
  return {
    targets: targets.length === 0 ? [] : [...new Set([...targets, ...later])],
    targetSection,
    core,
    rest,
  }
}
