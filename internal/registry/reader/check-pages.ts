/**
 * Looks for pages whose text is not what the page shows: images among pages of text, scans with a layer of text, and
 * invisible or covered text [documents 13.8].
 */
import type { PageContent } from '../page-content.ts'
import { type Finding, finding } from '../schema/document.ts'

const numbersOf = (pages: readonly PageContent[]): string =>
  pages.map(({ number }) => number).join(', ')

/** Reports pages without text. Of a scan only those that are not an image: the back of a sheet is often empty. */
export const checkEmpty = (
  pages: readonly PageContent[],
  isTextBased: boolean,
): readonly Finding[] => {
  const empty = pages.filter(({ texts, isWithoutImage }) =>
    isTextBased ? texts.every(({ text }) => text.trim() === '') : isWithoutImage === true,
  )
  return empty.length === 0
    ? []
    : [finding('PAGE_WITHOUT_TEXT', `No text was found on page ${numbersOf(empty)}.`)]
}

export const checkPages = (pages: readonly PageContent[]): readonly Finding[] => {
  const scanned = pages.filter(({ isPicture }) => isPicture === true)
  const hiding = pages.filter(({ hasHiddenText }) => hasHiddenText === true)
  const covering = pages.filter(({ hasCoveredText }) => hasCoveredText === true)
  return [
    ...(covering.length === 0
      ? []
      : [
          finding(
            'TEXT_COVERED',
            `Page ${numbersOf(covering)} has text that is painted over or below an annotation, so that it may not be visible. It was read as the other text.`,
          ),
        ]),
    ...(hiding.length === 0
      ? []
      : [
          finding(
            'TEXT_HIDDEN',
            `Page ${numbersOf(hiding)} has text that is not visible on paper. It was read as the other text.`,
          ),
        ]),
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
