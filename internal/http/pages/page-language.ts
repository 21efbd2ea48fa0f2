/** The languages of pages for people without the console: the first of the browser's languages that svc has. */
import { parseAccept } from 'hono/utils/accept'
import type { RequestFacts } from '../request.ts'

const LANGUAGES = ['en', 'ko'] as const
export type Language = (typeof LANGUAGES)[number]

/** @param acceptLanguage as the browser sent it */
export const pageLanguage = (acceptLanguage: string | undefined): Language => {
  const asked = parseAccept(acceptLanguage ?? '')
    .filter(({ q }) => q > 0)
    .map(({ type }) => type.toLowerCase().split('-')[0])
  const found = asked.map((tag) => LANGUAGES.find((language) => language === tag))
  return found.find((language) => language !== undefined) ?? 'en'
}

export const languageOf = ({ header }: Pick<RequestFacts, 'header'>): Language =>
  pageLanguage(header('accept-language'))
