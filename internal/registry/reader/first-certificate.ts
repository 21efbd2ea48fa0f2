/** Finds where a second certificate begins in a file. Only the first is read [documents 3.12]. */
import { squeeze } from '../fields/normal-text.ts'
import { findUniqueNumber } from '../fields/number.ts'
import type { PageContent } from '../page-content.ts'
import { type Finding, finding } from '../schema/document.ts'
import { readLines, textOf } from './text-line.ts'

const TITLE = /^(등기사항(전부|일부)[증중]명서|등기부[등초]본)/
/** The heading of the first table, which only the first page of a certificate has below its title. */
const FIRST_HEADING = /[【[](표제부|명의인)[】\]]/
const LATER_PAGE = /^(?!1\/)\d{1,4}\/\d{1,4}$/

/** Whether a certificate begins on the page. Only pages with the words of a title are read line by line. */
const opensCertificate = (page: PageContent): boolean => {
  const words = page.texts.map(({ text }) => squeeze(text)).join('')
  if (!/[증중]명서|등기부등본/.test(words)) return false
  const lines = readLines(page).map(({ pieces }) => squeeze(textOf(pieces)))
  return (
    lines.some((line) => TITLE.test(line)) &&
    lines.some((line) => FIRST_HEADING.test(line)) &&
    !lines.some((line) => LATER_PAGE.test(line))
  )
}

const numberOf = (page: PageContent | undefined): string | undefined =>
  page?.texts.flatMap(({ text }) => findUniqueNumber(text) ?? [])[0]

/** Splits the pages into those of the first certificate and those of later ones. */
export const splitCertificates = (
  pages: readonly PageContent[],
): Readonly<{ own: readonly PageContent[]; others: readonly PageContent[] }> => {
  const opening = pages.flatMap((page, at) => (opensCertificate(page) ? [at] : []))
  // a first page that was scanned twice begins no other certificate
  const isRepeated = (at: number): boolean =>
    opening.includes(at - 1) && numberOf(pages[at]) === numberOf(pages[at - 1])
  const [, end = pages.length] = opening.filter((at) => !isRepeated(at))
  return {
    own: pages.slice(0, end),
    others: pages.slice(end).map((page) => ({ ...page, isOfOther: true })),
  }
}

/** Reports pages that belong to another certificate. */
export const checkOthers = (pages: readonly PageContent[]): readonly Finding[] => {
  const others = pages.filter(({ isOfOther }) => isOfOther === true)
  const [first, last] = [others[0], others.at(-1)]
  if (first === undefined || last === undefined) return []
  const names = first === last ? `page ${first.number}` : `pages ${first.number} to ${last.number}`
  const numbers = others.flatMap(({ texts }) =>
    texts.flatMap(({ text }) => findUniqueNumber(text) ?? []),
  )
  const which = numbers.length === 0 ? '' : ` (${[...new Set(numbers)].slice(0, 5).join(', ')})`
  const message = `Another certificate${which} on ${names} was not read; send each as a file of its own.`
  return [finding('OTHER_CERTIFICATE', message)]
}
