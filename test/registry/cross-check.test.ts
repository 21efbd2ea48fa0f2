/** The summary is compared with the entries in time that grows with their number, because a file may be hostile. */
import { expect, it } from 'vitest'
import { crossCheck } from '#registry/reader/cross-check.ts'
import { leastCpuMs } from '../support/cpu-time.ts'
import { readRows } from './fixtures/certificate/from-rows.ts'

const MANY = 2_000
/** A search through all entries for each row of the summary takes 10 to 60 seconds. */
const MOST_MS = 1_500

const { document } = readRows({
  sectionB: [
    ['1', '근저당권설정', '2011년1월2일\n제3호', '2011년1월1일\n설정계약', '채권최고액  금100원'],
  ],
})
const names = Array.from({ length: MANY }, (_, at) => `누리${at}`)
const entries = names.flatMap((_, at) =>
  document.section_b.map((entry) => ({
    ...entry,
    rank_number: at === 0 ? '1' : `1-${at}`,
    raw_text: '가나다라마바사아자차'.repeat(20),
  })),
)
const [first] = entries

it('thousands of rows about one rank', () => {
  const common = { entry_id: first?.entry_id ?? '', rank_number: '1' }
  const long = {
    ...document,
    section_a: entries,
    section_b: entries,
    major_summary: {
      property_type: 'land' as const,
      address: '',
      owners: names.map((name) => ({
        ...common,
        name,
        resident_number: null,
        final_share: null,
        address: null,
      })),
      rights: names.map((creditor) => ({
        ...common,
        registration_purpose: '근저당권설정',
        receipt_date: '',
        receipt_number: '',
        target_owner: null,
        creditor,
        max_claim_amount: 1,
        bond_amount: null,
        deposit_amount: null,
        purpose: null,
        is_cancelled: false,
      })),
    },
  }
  expect(leastCpuMs(MOST_MS, () => crossCheck(long))).toBeLessThan(MOST_MS)
  const short = { ...long, section_a: entries.slice(0, 9), section_b: entries.slice(0, 9) }
  const strange = crossCheck(short).map(({ message }) => message)
  expect(strange).toContain('The entries of rank 1 do not name the creditor 누리0 of the summary.')
  expect(strange).toContain('Section A lacks the name or rank of the owner 누리0.')
})
