/** Finds pages that a file has twice. Their entries would count twice [documents 3.13]. */
import type { PageContent } from '../page-content.ts'
import { type Finding, finding } from '../schema/document.ts'
import { numberOfPage } from './page-number.ts'

const isSame = (one: PageContent, other: PageContent): boolean =>
  one.texts.every(({ text, left, baseline }, at) => {
    const same = other.texts[at]
    return (
      same?.text === text &&
      Math.abs(same.left - left) < 1 &&
      Math.abs(same.baseline - baseline) < 1
    )
  })

/** Separates the pages from those that repeat the texts of an earlier page with the same printed number. */
export const splitRepeated = (
  pages: readonly PageContent[],
): Readonly<{ own: readonly PageContent[]; repeated: readonly PageContent[] }> => {
  const firsts = new Map<string, PageContent>()
  const own: PageContent[] = []
  const repeated: PageContent[] = []
  for (const page of pages) {
    const number = numberOfPage(page)
    const key = number === null ? null : `${number.page}/${number.of} ${page.texts.length}`
    const first = key === null ? undefined : firsts.get(key)
    if (first !== undefined && isSame(first, page)) {
      repeated.push({ ...page, isRepeated: true })
      continue
    }
    if (key !== null && first === undefined) firsts.set(key, page)
    own.push(page)
  }
  return { own, repeated }
}

/** Reports pages that were not read because an earlier page is the same. */
export const checkRepeated = (pages: readonly PageContent[]): readonly Finding[] => {
  const printed = pages
    .filter(({ isRepeated }) => isRepeated === true)
    .map((page) => numberOfPage(page))
    .map((number) => `${number?.page}/${number?.of}`)
  if (printed.length === 0) return []
  const which = [...new Set(printed)].slice(0, 20).join(', ')
  return [
    finding(
      'PAGE_REPEATED',
      `The file has these pages more than once: ${which}. Each was read once.`,
    ),
  ]
}
