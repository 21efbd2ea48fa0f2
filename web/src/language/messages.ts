/**
 * Messages in every language, side by side, in the folder of the component that shows them:
 *
 *     const messages = defineMessages({
 *       title: { en: 'Jobs', ko: '작업' },
 *       found: { en: (n: number) => `${n} ${plural(n, 'job', 'jobs')}`, ko: (n: number) => `작업 ${n}개` },
 *     })
 *     const t = useMessages(messages)   // t.title, t.found(3)
 *
 * A missing language, or one with other parameters, does not compile. Each catalog also has the words of words.ts.
 */
import { type Language, useLanguage } from './language.ts'
import { words } from './words.ts'

// a message may take any values
type Sentence = string | ((...values: never[]) => string)

/** The type of a translation: any text for a text such as `'Jobs'`, the same signature for a function. */
type Like<S> = S extends string ? string : S

type Sentences = Readonly<Record<string, Sentence>>

type Words = Readonly<Record<keyof typeof words, string>>

/** A message of the catalog takes precedence over the shared word with the same name. */
export type Messages<S extends Sentences> = Omit<Words, keyof S> &
  Readonly<{ [Name in keyof S]: Like<S[Name]> }>

export type Catalogs<S extends Sentences> = Readonly<Record<Language, Messages<S>>>

/** English defines the parameters of a message, and the other languages must match. */
type Catalog<S extends Sentences> = {
  readonly [Name in keyof S]: Readonly<{ en: S[Name] } & Record<'ko', Like<NoInfer<S[Name]>>>>
}

const select = <S extends Sentences>(catalog: Catalog<S>, language: Language) => {
  const chosen: Partial<{ -readonly [Name in keyof S]: Like<S[Name]> }> = {}
  for (const name in catalog) chosen[name] = textOf(catalog[name], language)
  return chosen as { [Name in keyof S]: Like<S[Name]> }
}

const textOf = <S extends Sentence>(
  { en, ko }: Readonly<{ en: S; ko: Like<S> }>,
  language: Language,
): Like<S> => isolating(language === 'ko' ? ko : (en as Like<S>))

/** Characters that change the direction of the text after them. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/
const ISOLATE = '\u2068'
const END_OF_ISOLATE = '\u2069'

/** Isolates a name that would turn around the rest of the sentence. */
const isolated = (value: unknown): unknown =>
  typeof value === 'string' && TURNS.test(value)
    ? `${ISOLATE}${value.replaceAll(END_OF_ISOLATE, '')}${END_OF_ISOLATE}`
    : value

const isolating = <S extends Sentence>(sentence: S): S => {
  if (typeof sentence === 'string') return sentence
  const say = sentence as (...values: unknown[]) => string
  const isolatingSay: Sentence = (...values) => say(...values.map(isolated))
  return isolatingSay as S
}

const SHARED = { en: select(words, 'en'), ko: select(words, 'ko') }

export const defineMessages = <S extends Sentences>(catalog: Catalog<S>): Catalogs<S> => ({
  en: { ...SHARED.en, ...select(catalog, 'en') },
  ko: { ...SHARED.ko, ...select(catalog, 'ko') },
})

export const useMessages = <S extends Sentences>(catalogs: Catalogs<S>): Messages<S> =>
  catalogs[useLanguage()]

const rules = new Intl.PluralRules('en')

/** Selects the plural form. Only English needs it. */
export const plural = (count: number, one: string, other: string): string =>
  rules.select(count) === 'one' ? one : other

/** A count with its digits in groups, which both languages write alike. */
export const digits = (count: number): string => count.toLocaleString('en')
