import { squeeze } from '../fields/normal-text.ts'

export type PageNumber = Readonly<{ page: number; of: number }>

const SHAPE = /^(\d{1,4})\/(\d{1,4})$/

/** Reads a printed page number such as `2/9`. @returns null if the text is anything else */
export const readPageNumber = (text: string): PageNumber | null => {
  const [, page, of] = SHAPE.exec(squeeze(text)) ?? []
  return page === undefined ? null : { page: Number(page), of: Number(of) }
}
