/** A registry document for people: what the property is, who owns it, what lies on it. */
import type {
  Confidence,
  RegistryDocument,
  RegistryEntry,
  RegistryTitle,
} from '#core/registry/document.ts'
import { coloured, printLine, printTable } from '../remote/print.ts'

const KINDS = { land: '토지', building: '건물', aggregate_building: '집합건물' } as const

const won = (value: number): string => `${value.toLocaleString('en-US')}원`

const describeTitle = (title: RegistryTitle): readonly (readonly [string, string | null])[] => {
  if (title.property_type === 'land') {
    return [
      ['지목', title.land_type],
      ['면적', title.land_area],
    ]
  }
  const area = (value: number | null) => (value === null ? null : `${value}㎡`)
  const common: readonly (readonly [string, string | null])[] = [
    ['도로명주소', title.road_address],
    ['구조', [title.structure, title.roof_type].filter((part) => part !== null).join(' ')],
    ['용도', title.building_type],
    ['층수', title.floors === null ? null : `${title.floors}층`],
    ['연면적', area(title.total_floor_area)],
  ]
  if (title.property_type === 'building') return common
  return [
    ...common,
    ['건물명칭', title.building_name],
    ['전유면적', area(title.exclusive_area)],
    ['대지권비율', title.land_right_ratio],
  ]
}

const describeContent = ({ content }: RegistryEntry): string => {
  const persons = content.persons.map(({ role, name, share }) =>
    [role, name, share].filter((part) => part !== null).join(' '),
  )
  const amounts = content.amounts.map(({ type, value }) => `${type} ${won(value)}`)
  return [...amounts, ...persons].join(' · ')
}

const describeStatus = ({ status }: RegistryEntry): string => {
  if (!status.is_cancelled) return ''
  const by = status.cancelled_by_rank
  return coloured('dim', by === null ? '말소' : `말소 (${by})`)
}

const describePurpose = ({ purpose, status }: RegistryEntry): string => {
  const parts = purpose.sub_purposes.length === 0 ? [purpose] : purpose.sub_purposes
  const text = parts.map(({ normalized }) => normalized).join(' + ')
  return coloured(status.is_cancelled ? 'dim' : 'bold', text)
}

const toRow = (entry: RegistryEntry): readonly string[] => [
  entry.rank_number,
  describePurpose(entry),
  entry.receipt.date,
  describeStatus(entry),
  describeContent(entry),
]

const printSection = (name: string, entries: readonly RegistryEntry[]): void => {
  printLine(`\n${coloured('bold', name)}`)
  if (entries.length === 0) printLine('  기록사항 없음')
  else printTable(['순위', '등기목적', '접수', '말소', '내용'], entries.map(toRow))
}

/** The summary of `svc parse registry`; the whole document is what `--json` prints. */
export const printDocument = (document: RegistryDocument, confidence: Confidence): void => {
  const { title, diagnostics } = document
  printLine(`${coloured('bold', document.property_address)}  [${KINDS[title.property_type]}]`)
  const facts: readonly (readonly [string, string | null])[] = [
    ['고유번호', document.unique_number],
    ['관할등기소', document.jurisdiction],
    ['열람', document.viewed_at],
    ['발행', document.issued_at],
    ...describeTitle(title),
  ]
  for (const [name, value] of facts) {
    if (value !== null && value !== '') printLine(`  ${coloured('dim', name)}  ${value}`)
  }
  printSection('갑구 (소유권)', document.section_a)
  printSection('을구 (소유권 이외의 권리)', document.section_b)
  const { overall, level } = confidence
  printLine(`\n신뢰도 ${overall} (${level}), ${document.source.page_count}쪽`)
  for (const { code, message, entry_id: id } of diagnostics.warnings) {
    printLine(coloured('yellow', `  ${code}${id === null ? '' : ` ${id}`}: ${message}`))
  }
}
