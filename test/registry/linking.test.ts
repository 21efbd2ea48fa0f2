/** Entries are linked in time that grows with their number, also those below one rank, because a file may be hostile. */
import { describe, expect, it } from 'vitest'
import { classifyPurpose } from '#registry/entries/classify-purpose.ts'
import type { EntryDraft } from '#registry/entries/entry-draft.ts'
import { linkEntries } from '#registry/entries/link-entries.ts'
import { emptyContent } from '#registry/entries/read-content.ts'
import type { PersonInfo, RegistryEntry } from '#registry/schema/entry.ts'
import { leastCpuMs } from '../support/cpu-time.ts'

const DEBTOR: PersonInfo = {
  name: '한누리',
  role: '채무자',
  resident_number: null,
  address: null,
  share: null,
}

const CREDITOR: PersonInfo = { ...DEBTOR, name: '다솜은행', role: '근저당권자' }

/** An entry with one person, by default a debtor, who is struck through. */
const draftOf = (rank: string, raw: string, person = DEBTOR): EntryDraft => {
  const purpose = classifyPurpose(raw, { section: 'section_b', rank })
  const entry: RegistryEntry = {
    entry_id: `eul:${rank}`,
    rank_number: rank,
    previous_rank: null,
    purpose: { ...purpose.purpose, sub_purposes: [] },
    receipt: { date: '2011년 01월 02일', number: '3호' },
    cause: { text: '계약', date: null },
    content: { ...emptyContent(), persons: [person] },
    status: {
      is_cancelled: false,
      cancelled_by_rank: null,
      cancellation_date: null,
      cancellation_cause: null,
      modifications: [],
    },
    provenance: {
      page_no: 1,
      bbox: null,
      merged_from: [],
      is_continuation: false,
      is_visual_cancelled: false,
    },
    raw_text: raw,
    confidence: 1,
  }
  return {
    section: 'section_b',
    entry,
    purposes: [purpose],
    liveContent: emptyContent(),
    rightsText: '',
    struckNames: '',
    isHeadStruck: false,
    remarks: [],
    ocrDoubt: 0,
  }
}

const MANY = 5000
/** A search through all entries for each of them takes 2 to 60 seconds. */
const MOST_MS = 1000

const mortgage = draftOf('1', '근저당권설정')
const below = (purpose: string, person = DEBTOR): readonly EntryDraft[] =>
  Array.from({ length: MANY }, (_, at) => draftOf(`1-${at + 1}`, purpose, person))
const behind = (purpose: (rank: number) => string): readonly EntryDraft[] =>
  Array.from({ length: MANY }, (_, at) => draftOf(`${at + 2}`, purpose(at + 2)))

describe(`${MANY} entries`, () => {
  it.each([
    ['changes', below('1번근저당권변경')],
    ['transfers', below('1번근저당권이전')],
    ['transfers to creditors', below('1번근저당권이전', CREDITOR)],
    ['pledges', below('1번근저당권부질권')],
    [
      'sub-entries and their cancellation',
      [...below('1번근저당권변경'), ...behind(() => '1번등기말소')],
    ],
    [
      'cancellations of changes',
      [...below('1번근저당권변경'), ...behind(() => '1번근저당권변경등기말소')],
    ],
    ['entries of one rank', Array.from({ length: MANY }, () => draftOf('1', '1번근저당권변경'))],
    ['restorations of restorations', behind((rank) => `${rank - 1}번등기회복`)],
  ])('are linked at once: %s', (_, drafts) => {
    const cpu = leastCpuMs(MOST_MS, () => linkEntries([], [mortgage, ...drafts]))
    expect(cpu).toBeLessThan(MOST_MS)
  })
})

it('a chain of restorations ends with its last one', () => {
  const chain = behind((rank) => `${rank - 1}번등기회복`)
  const end = draftOf(`${MANY + 2}`, `${MANY + 1}번등기말소`)
  const { sectionB } = linkEntries([], [mortgage, ...chain, end])
  expect(sectionB.at(-2)?.status.cancelled_by_rank).toBe(`${MANY + 2}`)
})
