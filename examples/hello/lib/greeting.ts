export type Language = 'en' | 'ko' | 'de'

const GREETINGS: Readonly<Record<Language, (name: string) => string>> = {
  en: (name) => `Hello, ${name}!`,
  ko: (name) => `${name}님, 안녕하세요!`,
  de: (name) => `Hallo ${name}!`,
}

export const greeting = (name: string, language: Language = 'en'): string =>
  GREETINGS[language](name)
