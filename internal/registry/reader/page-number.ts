/** Reads the number that a page has in print. */
import { squeeze } from '../fields/normal-text.ts'
import type { PageContent } from '../page-content.ts'

export type PageNumber = Readonly<{ page: number; of: number }>

const SHAPE = /^(\d{1,4})\/(\d{1,4})$/

/** Reads a printed page number such as `2/9`. @returns null if the text is anything else */
export const readPageNumber = (text: string): PageNumber | null => {
  const [, page, of] = SHAPE.exec(squeeze(text)) ?? []
  return page === undefined ? null : { page: Number(page), of: Number(of) }
}

/** The printed number of a page, or null if it has none or several. */
export const numberOfPage = ({ texts }: PageContent): PageNumber | null => {
  const [found, ...others] = texts.flatMap(({ text }) => readPageNumber(text) ?? [])
  return found === undefined || others.length > 0 ? null : found
}
