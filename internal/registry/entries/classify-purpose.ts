/** Turns the text of a purpose (등기목적) into right, action and targets. */
import { inHangul } from '../fields/hanja.ts'
import { squeeze } from '../fields/normal-text.ts'
import type { ActionType, RightType, SubPurpose } from '../schema/entry.ts'
import { type NamedRank, type PurposeText, readPurposeText, type Section } from './purpose-text.ts'

const NOTICE = /예고등기(?!의?말소$)/

/** The main registration after a provisional one, if its purpose names that one: `2번가등기에기한본등기`. */
const MAIN_OF_PROVISIONAL =
  /가등기(?:에(?:기한|의한|기하여|의하여|따른))?(?:소유권(?:일부)?이전)?본등기/

/**
 * The provisional registration of a charge before its main registration: `1번근저당권설정가등기에기한본등기`,
 * `1번가등기에기한근저당권설정본등기`. Without it, the purpose names only the charge.
 */
const PROVISIONAL_CHARGE =
  /(?<=설정)(?:청구권)?가등기(?:에(?:기한|의한|기하여|의하여|따른))?(?=본등기)|가등기에(?:기한|의한|기하여|의하여|따른)(?=\S{2,5}권설정본등기)/

/** The first match decides: a restraint comes before the right that it restrains [documents 6.2]. */
const RIGHTS: readonly (readonly [RegExp, RightType])[] = [
  [NOTICE, '미분류'],
  // `1번등기는건물만에관한것임` is a sentence about the entry
  [/것임$/, '부기등기'],
  // an avoidance in insolvency names the transfer that it avoids, and transfers nothing
  [/등기(?:원인)?의부인/, '미분류'],
  [
    /등기명의인(?!의?회복)|(?:[유권리]자|수탁자)의?(?:표시|주소|성명|명칭|상호|본점|등록번호)|관리청/,
    '등기명의인표시변경',
  ],
  // the notice of a sale by the tax office belongs to its 압류
  [/공매공고/, '부기등기'],
  // 참가압류 is the 압류 of a further office
  [/(?<!참)가압류/, '가압류'],
  [/압류(?!말소통지)/, '압류'],
  [/경매/, '경매'],
  [/가처분/, '가처분'],
  [
    /금지사항|특약|환매권(?!행사)|질권|채권담보권|임대주택|주거환경정비|별도등기|공동목적|공동전세(?!권설정)|대지권|부기등기/,
    '부기등기',
  ],
  [/권리소멸|불분할|분할금지|저당권?의?대위(?!변제)|전매|보조금|중요재산/, '부기등기'],
  [MAIN_OF_PROVISIONAL, '소유권이전'],
  // the end of `회생계획인가등기말소` is none
  [/(?<![인허])가등기|이전청구권|설정청구권/, '가등기'],
  [/저당권|저당법|공동저당|공동담보|담보추가|채무자(?!회생)|채권최고액|기계기구/, '근저당권'],
  [/전세권|전전세|전세금/, '전세권'],
  [/임차권|임차물/, '임차권'],
  [/지상권/, '지상권'],
  [/지역권/, '지역권'],
  [/신탁/, '신탁'],
  [/소유권보존|보존등기/, '소유권보존'],
  // joint owners (합유자) hold no shares, and their names change together
  [/소유권|지분.{0,200}이전|공유지분|합유명의인|합유자/, '소유권이전'],
  [/[수위]탁자|수익자/, '신탁'],
]

const ACTIONS: readonly (readonly [RegExp, ActionType])[] = [
  [/회복$/, '변경'],
  [/(\(?일부\)?말소|담보추가|담보(?:일부)?(?:소멸|포기))$/, '변경'],
  [/말소$/, '말소'],
  [/경정$/, '경정'],
  [/변경$/, '변경'],
  [/일부(\([^()]*\))?이전$|지분.{0,200}일부.{0,200}이전$/, '일부이전'],
  [
    /이전(?:본등기)?$|(?<!설정(?:청구권)?)가등기(?:에(?:기한|의한|기하여|의하여|따른))?본등기$/,
    '이전',
  ],
]

/** A remark in parentheses at the end, which may name another right: `강제경매개시결정(3번가압류의본압류로의이행)`. */
const REMARK = /(?<=.)\(([^()]*)\)$/

/** Rights that a purpose may name in addition to its own: the right that is charged. */
const CHARGED = /^(근저당권|저당권|전세권|지상권|임차권|지역권|소유권)/

const rightIn = (part: string): RightType | undefined => {
  const plain = part.replace(PROVISIONAL_CHARGE, '')
  return RIGHTS.find(([pattern]) => pattern.test(plain))?.[1]
}

/** The word by which a text names its right, such as 질권, and the right. Null if it names none. */
export const rightWordIn = (text: string): Readonly<{ word: string; right: RightType }> | null => {
  if (/예고등기/.test(text)) return { word: '예고등기', right: '미분류' }
  for (const [pattern, right] of RIGHTS) {
    const word = pattern.exec(text)?.[0]
    if (word !== undefined) return { word, right }
  }
  return null
}

const withoutNames = (text: string, owners: readonly string[]): string =>
  owners.reduce((rest, owner) => rest.replace(owner, ''), text)

/** @param owners names that may hold the word of another right, such as that of a trust company */
const rightOf = (text: PurposeText, isSubRank: boolean, owners: readonly string[]): RightType => {
  if (text.core === '') return isSubRank ? '부기등기' : '미분류'
  const core = withoutNames(text.core, owners)
  // `2번한다솜지분,3번문새벽지분전부이전` names its right only at the end
  return rightIn(core) ?? rightIn(text.rest) ?? '미분류'
}

/** Actions that affect only a part, so that the entry of the whole remains. */
const PARTLY: Readonly<Partial<Record<ActionType, ActionType>>> = { 말소: '변경', 이전: '일부이전' }

/** Whether the text about a target ends a part of it: `근저당권설정등기일부말소`. */
export const isEndOfPart = (wording: string): boolean =>
  /일부\)?말소(?:등기)?$/.test(wording) || isEndOfHolder(wording)

const HOLDER = /(?:채권자|권리자|채무자|(?:가등기|저당권|전세권|임차권|지상권|질권)권?자)(?!대위)/

/** Whether the text about a target ends one of its holders: `가압류채권자3.말소`, `가압류등기중채권자한다솜말소`. */
const isEndOfHolder = (wording: string): boolean =>
  /말소(?:등기)?$/.test(wording) &&
  !/(?:변경|경정|이전)(?:등기)?말소(?:등기)?$/.test(wording) &&
  HOLDER.test(wording)

/** The role of the holder that a purpose or a line of the rights column ends, or null. @param text without blanks */
export const endedHolder = (text: string): string | null =>
  isEndOfHolder(text) ? (HOLDER.exec(text)?.[0] ?? null) : null

/** Whether a list ends a target as a whole, although the last one only in part: `1번근저당권말소,2번근저당권일부말소`. */
const endsAWhole = ({ targets }: PurposeText): boolean =>
  targets.some(({ wording }) => /말소(?:등기)?$/.test(wording) && !isEndOfPart(wording))

const actionOf = (wording: string, right: RightType, text: PurposeText): ActionType => {
  if (NOTICE.test(wording)) return '설정'
  // `말소등기` is 말소 and `가등기` stays what it is
  const tail = wording.replace(REMARK, '').replace(/(?<=말소|경정|변경|이전|회복)등기$/, '')
  const found = ACTIONS.find(([pattern]) => pattern.test(tail))?.[1]
  if (found === undefined) return right === '부기등기' ? '부기' : '설정'
  const remark = REMARK.exec(wording)?.[1] ?? ''
  // a share that is transferred is all that its owner has, unless it states 일부
  const isPartial = remark.includes('일부') || (found === '말소' && remark.includes('지분'))
  if (found === '말소' && isEndOfHolder(tail) && !endsAWhole(text)) return '변경'
  if (found === '변경' && /말소$/.test(tail) && endsAWhole(text)) return '말소'
  return (isPartial ? PARTLY[found] : null) ?? found
}

/** The texts of a purpose that follow a rank. */
const AFTER_RANKS = /(?:[,및]|(?<=지분))(?:갑구|을구)?\d+(?:-\d+)*번/

/** Words before the name of an owner: `공유자한다솜지분`, `근저당권설정등기중한다솜지분`, `전세권공유자한다솜지분`. */
const BEFORE_OWNER =
  /^(?:.*?(?:설정|이전|등기|저당권|전세권|임차권|지상권)중(?=.)|(?:근?저당|전세|임차|지상)권|소유권(?:일부)?이전청구권(?:가등기)?(?:의(?=.))?)?(?:(?:공유자|합유자)(?=.)(?!전원))?/
/** The right that is shared, after the name: `한다솜전세권지분`. */
const AFTER_OWNER = /(?:근?저당|전세|임차|지상)권$/

const isOfShare = (part: string): boolean => /.지분/.test(part)

/** Whether a part is only a name, whose share a later part has: `2번한다솜,3번문새벽지분전부이전`. */
const isNameBefore = (part: string, later: readonly string[]): boolean =>
  rightIn(part) === undefined && !/등기|말소/.test(part) && later.some(isOfShare)

/** What a share may be of besides the share of an owner: `상속지분`, `나머지지분`. */
const NO_OWNER = /^(?:[공합]유자전원|공유$|합유$|소유권|토지$|건물$|대지|상속$|잔여$|나머지$|일부$)/

/** The owners whose shares a purpose names: `한다솜지분전부`, `한다솜,문새벽지분전부`, `한다솜지분,3번문새벽지분전부`. */
const ownersOf = (rest: string): readonly string[] =>
  rest
    .split(AFTER_RANKS)
    .filter((part, at, parts) => isOfShare(part) || isNameBefore(part, parts.slice(at + 1)))
    .flatMap((part) => part.replace(/의?지분[^,]*/g, '').split(','))
    .map((owner) => owner.replace(BEFORE_OWNER, '').replace(AFTER_OWNER, ''))
    .filter((owner) => owner !== '' && !NO_OWNER.test(owner))

/** The right that is charged, when the purpose names it: `1번전세권근저당권설정` is on a 전세권. */
const chargedRight = (rest: string, right: RightType): string | null => {
  const named = CHARGED.exec(rest)?.[1]
  if (named === undefined) return null
  const name = named === '저당권' ? '근저당권' : named
  return name === right && !/질권/.test(rest) ? null : name
}

/** A part of the wording with its Hanja. The wording has the length of what is printed. */
const asPrinted = (part: string, wording: string, printed: string): string => {
  const at = wording.indexOf(part)
  return at === -1 ? part : printed.slice(at, at + part.length)
}

/** An entry that a purpose names, with the text about it and the right that this text names, or null. */
export type Target = NamedRank & Readonly<{ section: Section; right: RightType | null }>

export type ClassifiedPurpose = Readonly<{
  purpose: SubPurpose
  targets: readonly Target[]
  /** The owner whose share is charged. Section B has no field for it [documents 6.7]. */
  ownerNote: string | null
  /** `회복` has no `action_type` of its own [documents 6.4]. */
  isRestoration: boolean
}>

/**
 * One purpose with its classification [documents 6.1]. In section B, `target_type` comes from the text here; linking adds the
 * type of the target.
 */
export const classifyPurpose = (
  raw: string,
  place: Readonly<{ section: Section; rank: string }>,
): ClassifiedPurpose => {
  const normalized = squeeze(raw)
  const wording = inHangul(normalized)
  const text = readPurposeText(wording.replace(REMARK, ''))
  const owners = ownersOf(text.rest)
  const names = owners.map((owner) => asPrinted(owner, wording, normalized))
  const owner = names.length === 0 ? null : names.join(',')
  const right = rightOf(text, place.rank.includes('-'), owners)
  const isSectionA = place.section === 'section_a'
  return {
    purpose: {
      raw,
      normalized,
      right_type: right,
      action_type: actionOf(wording, right, text),
      target_rank:
        text.targets.length === 0 ? null : text.targets.map((target) => target.rank).join(','),
      target_type: isSectionA ? null : chargedRight(text.rest, right),
      target_owner: isSectionA ? owner : null,
      sub_purposes: [],
    },
    targets: text.targets.map((target) => ({
      ...target,
      section: target.section ?? place.section,
      right: rightIn(withoutNames(target.wording, owners)) ?? null,
    })),
    ownerNote: isSectionA ? null : owner,
    isRestoration: /회복(?:등기)?$/.test(wording.replace(REMARK, '')),
  }
}
