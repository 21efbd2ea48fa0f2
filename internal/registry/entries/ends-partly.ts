/** Whether a cancellation ends a part of its target only, which then stays in force. */
import type { ClassifiedPurpose } from './classify-purpose.ts'
import type { EntryDraft } from './entry-draft.ts'

/** Whether the end of a trust affects only the trust of an entry that also contains a transfer. */
const endsOnlyTrust = (purpose: ClassifiedPurpose, target: EntryDraft): boolean =>
  purpose.purpose.right_type === '신탁' && target.entry.purpose.right_type !== '신탁'

/** Matches `1번근저당권설정등기중한다솜지분말소`, and not a name with 중 in it. */
const WITHIN = /(설정|이전|등기|저당권|전세권|임차권|지상권)중.*지분.*말소$/

/** Whether the right ends for the share of one owner only [documents 9.4]. */
const isForOneShare = (purpose: ClassifiedPurpose, by: EntryDraft): boolean =>
  by.section === 'section_b' && WITHIN.test(purpose.purpose.normalized)

/** Whether the target stays in force: without its trust [documents 9.3], or for the shares of other owners. */
export const endsPartly = (
  purpose: ClassifiedPurpose,
  target: EntryDraft,
  by: EntryDraft,
): boolean => endsOnlyTrust(purpose, target) || isForOneShare(purpose, by)
