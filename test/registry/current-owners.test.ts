import { expect, test } from 'vitest'
import { parseRegistry } from '#registry/parse-registry.ts'
import type { RegistryDocument } from '#registry/schema/document.ts'
import { currentOwners } from '#registry/workflow/current-owners.ts'
import { OWNER, type RowText, readRows } from './fixtures/certificate/from-rows.ts'
import { generateCertificate } from './fixtures/certificate/generate-certificate.ts'

const SEEDS = 300

const read = (seed: number): RegistryDocument | null => {
  const parse = parseRegistry(generateCertificate(seed).pages, { parsedAt: '', documentId: null })
  return parse.kind === 'document' ? parse.document : null
}
const isWhole = (document: RegistryDocument | null): document is RegistryDocument =>
  document !== null &&
  document.major_summary !== null &&
  document.profile.certificate_type === 'full'
/** The generated summary keeps the name from before the change. */
const hasRenamed = ({ section_a }: RegistryDocument): boolean =>
  section_a.some(({ content }) => /성명\(명칭\)/.test(content.notes_raw ?? ''))

test('the entries of section A give the owners that the summary states', () => {
  const documents = Array.from({ length: SEEDS }, (_, seed) => read(seed))
    .filter(isWhole)
    .filter((document) => !hasRenamed(document))
  const wrong = documents.flatMap((document) => {
    const stated = currentOwners(document).toSorted()
    const derived = currentOwners({ ...document, major_summary: null }).toSorted()
    return stated.join() === derived.join() ? [] : [{ stated, derived }]
  })
  expect(documents.length).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})

const HOME = '    가람특별시 나래구 다솜로 12'
const RECEIPT = '2012년1월1일\n제9호'
const share = (name: string, part: string, number = '720202-*******'): string =>
  `지분 ${part}\n${name}  ${number}\n${HOME}`
const THREE: RowText = [
  '1',
  '소유권이전',
  RECEIPT,
  '2012년1월1일\n매매',
  `공유자\n${['한다솜', '문새벽', '서라온'].map((name) => share(name, '3분의 1')).join('\n')}`,
]
const entry = (rank: string, purpose: string, rights: string): RowText => [
  rank,
  purpose,
  RECEIPT,
  '2012년1월1일\n매매',
  rights,
]

const HALVES = entry(
  '1',
  '소유권이전',
  `공유자\n${share('한다솜', '2분의 1')}\n${share('문새벽', '2분의 1')}`,
)
const NAMESAKES = entry(
  '1',
  '소유권이전',
  `공유자\n${share('한다솜', '2분의 1')}\n${share('한다솜', '2분의 1', '730303-*******')}`,
)

test.each<readonly [string, readonly RowText[], string]>([
  [
    'a correction of the ownership',
    [
      [...OWNER.slice(0, 4), `~~소유자~~  ~~한누리~~  ~~700101-*******~~\n${HOME}`],
      entry(
        '1-1',
        '1번소유권경정',
        `공유자\n${share('한누리', '2분의 1')}\n${share('한다솜', '2분의 1')}`,
      ),
    ],
    '한누리,한다솜',
  ],
  [
    'a changed name',
    [
      [...OWNER.slice(0, 4), `소유자  ~~한누리~~  700101-*******\n${HOME}`],
      entry('1-1', '1번등기명의인표시변경', '한누리의 성명  한가람'),
    ],
    '한가람',
  ],
  [
    'the transfer of the shares of two owners',
    [THREE, entry('2', '1번한다솜, 문새벽지분전부이전', `공유자  ${share('강하늘', '3분의 2')}`)],
    '서라온,강하늘',
  ],
  [
    'the transfer of a part of the whole',
    [OWNER, entry('2', '소유권일부(4분의1)이전', `공유자  ${share('강하늘', '4분의 1')}`)],
    '한누리,강하늘',
  ],
  [
    'the cancellation of a transfer',
    [
      THREE,
      entry('2', '1번공유자전원지분전부이전', `소유자  강하늘  740203-*******\n${HOME}`),
      entry('3', '2번소유권이전등기말소', ''),
    ],
    '한다솜,문새벽,서라온',
  ],
  [
    'the transfer of one of two shares of an owner',
    [
      HALVES,
      entry('2', '1번문새벽지분전부이전', `공유자  ${share('한다솜', '2분의 1')}`),
      entry('3', '1번한다솜지분전부이전', `공유자  ${share('강하늘', '2분의 1')}`),
    ],
    '한다솜,강하늘',
  ],
  [
    'the transfer of a share that is less than the owner has',
    [HALVES, entry('2', '1번한다솜지분4분의1이전', `공유자  ${share('강하늘', '4분의 1')}`)],
    '한다솜,문새벽,강하늘',
  ],
  [
    'the transfer of the rest of a share',
    [
      HALVES,
      entry(
        '2',
        '1번한다솜지분2분의1 중 일부(4분의1)이전',
        `공유자  ${share('강하늘', '4분의 1')}`,
      ),
      entry('3', '1번한다솜지분4분의1이전', `공유자  ${share('서라온', '4분의 1')}`),
    ],
    '문새벽,강하늘,서라온',
  ],
  [
    'the transfer of the share of one of two owners with equal names',
    [NAMESAKES, entry('2', '1번한다솜지분전부이전', `공유자  ${share('강하늘', '2분의 1')}`)],
    '한다솜,강하늘',
  ],
  [
    'the transfers of the shares of two owners with equal names',
    [
      NAMESAKES,
      entry('2', '1번한다솜(730303-*******)지분전부이전', `공유자  ${share('강하늘', '2분의 1')}`),
      entry('3', '1번한다솜(720202-*******)지분전부이전', `공유자  ${share('서라온', '2분의 1')}`),
    ],
    '강하늘,서라온',
  ],
])('%s leaves the owners that the register names', (_, sectionA, owners) => {
  expect(currentOwners(readRows({ sectionA }).document).join()).toBe(owners)
})

test.each([
  ['한누리의 성명(명칭)  한가람\n한누리의 주소  가람북도 하늘시 가온로 2', '한가람'],
  ['한누리의 성명  한가람\n주소  가람북도 하늘시 가온로 2', '한가람'],
  ['소유자 한누리의 성명(명칭) : 한가람', '한가람'],
  ['성명  한가람', '한가람'],
  ['한누리의 명칭  가람 협동조합\n대표자 한다솜  720202-*******', '가람 협동조합'],
  ['한누리의 주소  가람북도 하늘시 가온로 2', '한누리'],
])('a changed name is without what else is changed: %s', (rights, owner) => {
  const sectionA = [
    [...OWNER.slice(0, 4), `소유자  ~~한누리~~  700101-*******\n${HOME}`],
    entry('1-1', '1번등기명의인표시변경', rights),
  ]
  expect(currentOwners(readRows({ sectionA }).document)).toEqual([owner])
})

test.each([
  ['한가람의 성명  한다빛', '한가람'],
  ['새빛 주식회사의 주소  가람시 나래동 1 새빛 주식회사의 상호  한다빛', '새빛 주식회사'],
])('an owner whose name changed twice is one owner: %s', (rights, name) => {
  const sectionA = [
    [...OWNER.slice(0, 4), `소유자  ~~한누리~~  700101-*******\n${HOME}`],
    entry('1-1', '1번등기명의인표시변경', `한누리의 성명  ${name}`),
    entry('1-2', '1번등기명의인표시변경', rights),
  ]
  expect(currentOwners(readRows({ sectionA }).document)).toEqual(['한다빛'])
})

test('an owner who was renamed and then corrected to two is none', () => {
  const struck = `    ~~${HOME.trim()}~~`
  const sectionA = [
    [...OWNER.slice(0, 4), `~~소유자~~  ~~한누리~~  ~~700101-*******~~\n${struck}`],
    entry('1-1', '1번등기명의인표시변경', '한누리의 성명  한가람'),
    entry(
      '1-2',
      '1번소유권경정',
      `공유자\n${share('한다솜', '3분의 1')}\n${share('문새벽', '3분의 2')}`,
    ),
  ]
  const { document } = readRows({ sectionA })
  expect(document.section_a[0]?.content.persons).toEqual([])
  expect(currentOwners(document)).toEqual(['한다솜', '문새벽'])
})
