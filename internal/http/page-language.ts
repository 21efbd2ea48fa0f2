/** The languages of pages for people without the console: what the browser asks for first, of those that there are. */
const LANGUAGES = ['en', 'ko'] as const
export type Language = (typeof LANGUAGES)[number]

const isLanguage = (text: string): text is Language =>
  LANGUAGES.some((language) => language === text)

type Wish = Readonly<{ language: string; weight: number }>

/** `ko-KR;q=0.9` (RFC 9110, 12.5.4). */
const toWish = (part: string): Wish => {
  const [tag = '', ...parameters] = part.split(';').map((each) => each.trim())
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
  return {
    language: tag.slice(0, 2).toLowerCase(),
    weight: weight === undefined ? 1 : Number(weight),
  }
}

/** @param acceptLanguage as the browser sent it */
export const pageLanguage = (acceptLanguage: string | undefined): Language => {
  const wishes = (acceptLanguage ?? '')
    .split(',')
    .map(toWish)
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ language }) => language)
  return wishes.find((language) => isLanguage(language)) ?? 'en'
}
