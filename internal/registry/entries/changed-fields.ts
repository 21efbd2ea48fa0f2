/** Guesses which fields of its target an entry changes. */
import { inHangul } from '../fields/hanja.ts'
import { squeeze } from '../fields/normal-text.ts'
import { endedHolder } from './classify-purpose.ts'
import type { EntryDraft } from './entry-draft.ts'

const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/성명|개명/, '성명'],
  // a renamed district (행정구역명칭변경) changes the address
  [/(?<!구역)명칭/, '명칭'],
  [/상호/, '상호'],
  [/주소|전거|본점이전/, '주소'],
  [/등록번호/, '등록번호'],
  [/거래가액/, '거래가액'],
  [/채권최고액/, '채권최고액'],
  [/채무자/, '채무자'],
  [/채권자/, '채권자'],
  [/근저당권자/, '근저당권자'],
  [/전세권자/, '전세권자'],
  [/전세금/, '전세금'],
  [/임차보증금/, '임차보증금'],
  [/차임/, '차임'],
  [/범위/, '범위'],
  [/존속기간/, '존속기간'],
  [/공동담보/, '공동담보'],
  [/지분/, '지분'],
]

/** The fields that a change seems to be about, guessed from its wording [documents 8.2]. */
export const guessChangedFields = (draft: EntryDraft): string[] => {
  const { cause } = draft.entry
  const text = inHangul(squeeze(`${cause.text} ${draft.rightsText}`))
  const found = FIELDS.filter(([pattern]) => pattern.test(text)).map(([, field]) => field)
  const transfer = /^(.*?)(근저당권|전세권|임차권|지상권)(일부|.{0,200}지분.{0,200})?이전$/.exec(
    inHangul(draft.entry.purpose.normalized),
  )
  const holder = transfer === null ? [] : [`${transfer[2]}자`]
  const ended = endedHolder(inHangul(draft.entry.purpose.normalized))
  return [...new Set([...holder, ...(ended === null ? [] : [ended]), ...found])]
}
