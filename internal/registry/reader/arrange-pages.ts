/** Puts pages into the order of their printed numbers, such as `2/9` [documents 3.11]. */
import { squeeze } from '../fields/normal-text.ts'
import type { PageContent, SourceContent } from '../page-content.ts'
import { splitCertificates } from './first-certificate.ts'
import { numberOfPage } from './page-number.ts'
import { splitRepeated } from './repeated-pages.ts'
import { splitSheets } from './split-sheets.ts'

const OF_SUMMARY = /^(주요등기사항요약|출력일시)/

type Numbered = Readonly<{ page: PageContent; at: number; of: number }>

const numberOf = (page: PageContent): Numbered | null => {
  const found = numberOfPage(page)
  return found === null ? null : { page, at: found.page, of: found.of }
}

/** The pages by number, or as they are if one of the numbers 1 to n is missing or occurs twice. */
const byNumber = (pages: readonly PageContent[]): readonly PageContent[] => {
  const numbered = pages.flatMap((page) => numberOf(page) ?? []).toSorted((a, b) => a.at - b.at)
  const isWhole =
    numbered.length === pages.length &&
    numbered.every(({ at, of }, index) => at === index + 1 && of === pages.length)
  return isWhole ? numbered.map(({ page }) => page) : pages
}

const isOfSummary = ({ texts }: PageContent): boolean =>
  texts.some(({ text }) => OF_SUMMARY.test(squeeze(text)))

const inOrder = (given: readonly PageContent[]): readonly PageContent[] => {
  const all = byNumber(given)
  const register = byNumber(given.filter((page) => !isOfSummary(page)))
  const summary = byNumber(given.filter(isOfSummary))
  return all === given ? [...register, ...summary] : all
}

/**
 * Returns the document with one page for each printed page, in the order of their numbers: the register, then its
 * summary, which has numbers of its own or continues those of the register, then pages of other certificates and pages that
 * repeat earlier ones. Pages are numbered again.
 */
export const arrangePages = (source: SourceContent): SourceContent => {
  const split = splitSheets(source)
  const { own: read, repeated } = splitRepeated(split.pages)
  const { own, others } = splitCertificates(read)
  const ordered = inOrder(own)
  const pages = [...ordered, ...others, ...repeated]
  const isAsGiven = repeated.length === 0 && ordered.every((page, at) => page === own[at])
  if (isAsGiven) return { ...split, pages }
  return {
    ...split,
    pages: pages.map((page, at) => ({
      ...page,
      number: at + 1,
      sheet: page.sheet ?? { number: page.number, left: 0 },
    })),
  }
}

/** Whether the pages of the file are in another order than that of their printed numbers. */
export const isRearranged = ({ pages }: SourceContent): boolean =>
  pages
    .filter(({ isRepeated }) => isRepeated !== true)
    .some((page, at, all) => {
      const before = all[at - 1]
      return before !== undefined && sheetOf(page) < sheetOf(before)
    })

const sheetOf = ({ sheet, number }: PageContent): number => sheet?.number ?? number
