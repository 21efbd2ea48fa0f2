/** Finds the new name of a holder in the text of an entry that changes or corrects it (등기명의인표시변경). */
import { squeeze } from '../fields/normal-text.ts'

export type NewName = Readonly<{
  /** The name before. Null if the text does not repeat it, as in `성명 한가람`. */
  before: string | null
  after: string
}>

const NAME = '(?:성명\\(명칭\\)|성명|명칭|상호)'
const ROLE = '(?:(?:소유자|공유자|합유자|수탁자)\\s+)?'
const NEW_NAME = new RegExp(`^${ROLE}(?:(\\S.{0,200}?)의\\s?)?${NAME}[:\\s]{1,10}(\\S.*)$`, 'm')
/** What an entry may state of the holder behind the name, on a line of its own. */
const NEXT =
  /\s(?:\S{1,100}의\s?)?(?:주소|성명|명칭|상호|본점|주된\s?사무소|취급지점|(?:주민|법인|부동산등기용)?등록번호)(?:\([가-힣]{1,9}\))?(?=[\s:]).*$/

/** @param text of the rights column, such as `한다솜의 성명(명칭) 한다빛 한다솜의 주소 …` */
export const findNewName = (text: string): NewName | null => {
  const [, before, rest] = NEW_NAME.exec(text) ?? []
  if (rest === undefined) return null
  const again = before === undefined ? -1 : rest.indexOf(` ${before}의`)
  const after = (again === -1 ? rest : rest.slice(0, again)).replace(NEXT, '').trim()
  return after === '' ? null : { before: before === undefined ? null : squeeze(before), after }
}
