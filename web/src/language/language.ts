/** The language of the console: the chosen one, or else the first of the browser's languages that is supported. */
import { keepSetting, readSetting, useSetting } from '../browser/settings.ts'

export const LANGUAGES = ['en', 'ko'] as const
export type Language = (typeof LANGUAGES)[number]

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', ko: '한국어' }

const isLanguage = (text: string | null): text is Language =>
  LANGUAGES.some((language) => language === text)

const preferred = (): Language => {
  const found = navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => isLanguage(tag))
  return found !== undefined && isLanguage(found) ? found : 'en'
}

const orPreferred = (kept: string | null): Language => (isLanguage(kept) ? kept : preferred())

export const currentLanguage = (): Language => orPreferred(readSetting('language'))
export const useLanguage = (): Language => orPreferred(useSetting('language'))

/** Sets the language of the page for screen readers and hyphenation. */
export const setLanguageOfPage = (language: Language): void => {
  document.documentElement.lang = language
}

export const setLanguage = (language: Language): void => {
  keepSetting('language', language)
  setLanguageOfPage(language)
}
