/** Looks for pages whose text is not all of the page: images among pages of text, and scans with a layer of text [documents 13.8]. */
import type { PageContent } from '../page-content.ts'
import { type Finding, finding } from '../schema/document.ts'

const numbersOf = (pages: readonly PageContent[]): string =>
  pages.map(({ number }) => number).join(', ')

export const checkPages = (pages: readonly PageContent[]): readonly Finding[] => {
  const empty = pages.filter(({ texts }) => texts.every(({ text }) => text.trim() === ''))
  const scanned = pages.filter(({ isPicture }) => isPicture === true)
  return [
    ...(empty.length === 0
      ? []
      : [finding('PAGE_WITHOUT_TEXT', `No text was found on page ${numbersOf(empty)}.`)]),
    ...(scanned.length === 0
      ? []
      : [
          finding(
            'TEXT_OF_SCAN',
            `Page ${numbersOf(scanned)} is a scan with a layer of text, whose letters and strikes are not certain.`,
          ),
        ]),
  ]
}
