/** The search of the guides: an index in the browser, over the text below each heading. */
import MiniSearch from 'minisearch'

export type Passage = Readonly<{
  /** Address with the anchor of the heading. */
  address: string
  /** The heading. */
  title: string
  /** The title of the page. */
  page: string
  text: string
}>

export type FoundPassage = Readonly<{
  address: string
  title: string
  page: string
  before: string
  /** The first match of a search word, as the text has it. Empty if only the heading matches. */
  match: string
  after: string
}>

type Index = Readonly<{ search: MiniSearch; passages: readonly Passage[] }>

const AROUND = 70

/** Splits a text so that a name such as `SVC_DATA_DIR`, `ctx.step` or `max-attempts` is found as a whole and by its parts. */
const tokenize = (text: string): string[] =>
  [
    ...new Set(
      text.split(/[\s,;:()[\]{}"'`|]+/).flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]),
    ),
  ].filter((word) => word.length > 0)

export const toIndex = (passages: readonly Passage[]): Index => {
  const search = new MiniSearch({
    fields: ['title', 'page', 'text'],
    tokenize,
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  })
  search.addAll(passages.map((passage, id) => ({ id, ...passage })))
  return { search, passages }
}

const excerptOf = (
  text: string,
  terms: readonly string[],
): Pick<FoundPassage, 'before' | 'match' | 'after'> => {
  const lower = text.toLowerCase()
  const [first] = terms
    .map((term) => ({ at: lower.indexOf(term), length: term.length }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at)
  if (first === undefined) return { before: text.slice(0, 2 * AROUND), match: '', after: '' }
  const { at, length } = first
  const from = Math.max(0, at - AROUND)
  return {
    before: `${from > 0 ? '…' : ''}${text.slice(from, at)}`,
    match: text.slice(at, at + length),
    after: text.slice(at + length, at + length + AROUND),
  }
}

/** @returns the best matches first */
export const findPassages = (
  { search, passages }: Index,
  words: string,
  most: number,
): readonly FoundPassage[] =>
  search
    .search(words)
    .slice(0, most)
    .flatMap(({ id, terms }) => {
      const passage = passages[id]
      if (passage === undefined) return []
      const { address, title, page, text } = passage
      return [{ address, title, page, ...excerptOf(text, terms) }]
    })
