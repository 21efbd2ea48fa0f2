/** Whether a cancellation ends a part of its target only, which then stays in force. */
import { inHangul } from '../fields/hanja.ts'
import type { RightType } from '../schema/entry.ts'
import { type ClassifiedPurpose, isEndOfPart, rightWordIn } from './classify-purpose.ts'
import type { EntryDraft } from './entry-draft.ts'

/** What a purpose is about at the rank of its target, or in all if it names no rank. */
const aboutTarget = ({ purpose, targets }: ClassifiedPurpose, { entry, section }: EntryDraft) =>
  targets.find((target) => target.rank === entry.rank_number && target.section === section) ?? {
    wording: inHangul(purpose.normalized),
    right: purpose.right_type,
  }

/** Whether the end of a trust affects only the trust of an entry that also contains a transfer. */
const endsOnlyTrust = (purpose: ClassifiedPurpose, target: EntryDraft): boolean => {
  const { wording, right } = aboutTarget(purpose, target)
  return (
    right === '신탁' &&
    target.entry.purpose.right_type !== '신탁' &&
    // `2번소유권이전및신탁등기말소` ends both
    !/소유권(일부)?이전/.test(wording)
  )
}

const WITHIN = /(?:설정|이전|등기|저당권|전세권|임차권|지상권)중/

/** Accepts `1번근저당권설정등기중한다솜지분말소`, and not a name with 중 in it. Reads a long text once. */
const endsAShare = (wording: string): boolean => {
  const within = WITHIN.exec(wording)
  return within !== null && wording.endsWith('말소') && wording.includes('지분', within.index)
}

const ownerOf = ({ purpose, ownerNote }: ClassifiedPurpose): string | null =>
  purpose.target_owner ?? ownerNote

/** Whether the right ends for the share of one owner only, and has others [documents 9.4]. */
const isForOneShare = (purpose: ClassifiedPurpose, target: EntryDraft): boolean =>
  endsAShare(inHangul(purpose.purpose.normalized)) &&
  !target.purposes.some((own) => ownerOf(own) !== null && ownerOf(own) === ownerOf(purpose))

/** Whether the target stays in force: in part, without its trust [documents 9.3], or for the shares of other owners. */
export const endsPartly = (purpose: ClassifiedPurpose, target: EntryDraft): boolean =>
  isEndOfPart(aboutTarget(purpose, target).wording) ||
  endsOnlyTrust(purpose, target) ||
  isForOneShare(purpose, target)

/** Matches the end of a change, `1번근저당권변경등기말소`. In a list only the last text has 말소. */
const CHANGE = /(변경|경정|이전)(?:등기)?(?:말소)?$/

/** The kind of change that a purpose ends: 변경, 경정 or 이전, if the target itself is of another kind. Null otherwise. */
export const endedChange = (purpose: ClassifiedPurpose, target: EntryDraft): string | null => {
  const kind = CHANGE.exec(aboutTarget(purpose, target).wording)?.[1]
  // a provisional registration of a transfer does not transfer
  const own = inHangul(target.entry.purpose.normalized).replaceAll('이전청구권', '')
  return kind === undefined || own.includes(kind) ? null : kind
}

export type EndedRight = Readonly<{ word: string; right: RightType }>

/**
 * The right on its target that a purpose ends, by the rank of the target: `1번근저당권부질권등기말소` ends a pledge, if rank 1 is the
 * mortgage. Null if the target itself is of this right.
 */
export const endedRightOn = (purpose: ClassifiedPurpose, target: EntryDraft): EndedRight | null => {
  const { wording } = aboutTarget(purpose, target)
  const ended = rightWordIn(
    ownersOf(purpose).reduce((text, owner) => text.replace(owner, ''), wording),
  )
  const own = inHangul(target.entry.purpose.normalized)
  return ended === null || own.includes(ended.word) ? null : ended
}

const ownersOf = (purpose: ClassifiedPurpose): readonly string[] =>
  ownerOf(purpose)?.split(',') ?? []
