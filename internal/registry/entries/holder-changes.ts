/** Finds the new name, number or address of a holder in the text of an entry that changes or corrects it (등기명의인표시변경). */
import { squeeze } from '../fields/normal-text.ts'

export type HolderChange = Readonly<{
  part: 'name' | 'number' | 'address' | 'other'
  /** The name of the holder before, without blanks. Null if the text does not repeat it, as in `성명 한가람`. */
  holder: string | null
  after: string
}>

/** The words for parts of a holder, each with a further word in brackets: `성명(명칭)`. */
export const PART_OF_HOLDER =
  '(주소|성명|명칭|상호|본점|주된\\s?사무소|취급지점|(?:주민|법인|부동산등기용)?등록번호)(?:\\([가-힣]{1,9}\\))?'
const STATED = new RegExp(`(의\\s?|(?<=^|\\s))${PART_OF_HOLDER}[:\\s]{1,10}`, 'g')
const ROLE = /(?:^|\s)(?:소유자|공유자|합유자|수탁자)\s+$/
/** Far more letters than a name has. */
const LONGEST = 250

const partOf = (word: string): HolderChange['part'] => {
  if (/^(성명|명칭|상호)/.test(word)) return 'name'
  if (word.endsWith('등록번호')) return 'number'
  return word === '취급지점' ? 'other' : 'address'
}

/** Where the last letters of a text begin that are a name, whatever blanks are between them, or -1. */
const startOfName = (text: string, name: string): number => {
  let at = text.length
  for (const sign of [...name].reverse()) {
    while (/\s/.test(text.charAt(at - 1))) at -= 1
    if (!text.endsWith(sign, at)) return -1
    at -= sign.length
  }
  return at === 0 || /\s/.test(text.charAt(at - 1)) ? at : -1
}

/** Where the name at the end of a text begins: a known one, else all of a line, else its last word. */
const holderAt = (text: string, isFirst: boolean, names: readonly string[]): number => {
  const starts = names.map((name) => startOfName(text, name)).filter((at) => at !== -1)
  if (starts.length > 0) return Math.min(...starts)
  const role = ROLE.exec(text)
  if (role !== null) return role.index + role[0].length
  const first = /^\s*(?:(?:소유자|공유자|합유자|수탁자)\s+)?/.exec(text)?.[0].length ?? 0
  return isFirst ? first : text.search(/\S*$/)
}

const readLine = (line: string, names: readonly string[]): readonly HolderChange[] => {
  const heads: { part: HolderChange['part']; holder: string | null; start: number; end: number }[] =
    []
  for (const found of line.matchAll(STATED)) {
    const [all, of = '', word = ''] = found
    const last = heads.at(-1)
    const text = line.slice(Math.max(last?.end ?? 0, found.index - LONGEST), found.index)
    const known = typeof last?.holder !== 'string' ? names : [...names, last.holder]
    const at = of === '' ? text.length : holderAt(text, last === undefined, known)
    const name = squeeze(text.slice(at))
    heads.push({
      part: partOf(word),
      // without a name, it is of the holder of the line so far
      holder: name === '' ? (last?.holder ?? null) : name,
      start: found.index - text.length + at,
      end: found.index + all.length,
    })
  }
  return heads.flatMap(({ part, holder, end }, at) => {
    const after = line
      .slice(end, heads[at + 1]?.start)
      .replace(ROLE, '')
      .trim()
    return after === '' ? [] : [{ part, holder, after }]
  })
}

/**
 * @param text of the rights column, such as `한다솜의 성명(명칭) 한다빛 한다솜의 주소 …`
 * @param names of holders that the text may repeat, without blanks
 */
export const readHolderChanges = (
  text: string,
  names: readonly string[] = [],
): readonly HolderChange[] => text.split('\n').flatMap((line) => readLine(line, names))

/** The first new name that a text states. */
export const findNewName = (text: string): HolderChange | undefined =>
  readHolderChanges(text).find(({ part }) => part === 'name')
