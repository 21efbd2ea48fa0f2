/** Words that this source does not use in comments, summaries and messages, each with its replacement. */
import type { Source } from './sources.ts'

export type Word = Readonly<{ word: string; pattern: RegExp; say: string }>

export const WORDS: readonly Word[] = [
  { word: 'deed', pattern: /\bdeeds?\b/gi, say: 'action' },
  { word: 'wish', pattern: /\bwish(?:es|ed)?\b/gi, say: 'options, request' },
  { word: 'mend', pattern: /\bmend(?:s|ed|ing)?\b/gi, say: 'fix, remedy, repair' },
  { word: 'walls', pattern: /\bwalls?\b/gi, say: 'confinement' },
  { word: 'lanes', pattern: /\blanes?\b(?!\.ts)/gi, say: 'queue of a run' },
  { word: 'canary', pattern: /\bcanary\b/gi, say: 'probe' },
  { word: 'deaf', pattern: /\bdeaf\b/gi, say: 'unresponsive' },
  { word: 'bunch', pattern: /\bbunch(?:es)?\b/gi, say: 'batch' },
  { word: 'whoever', pattern: /\bwhoever\b/gi, say: 'a named subject' },
  { word: 'nobody', pattern: /\bnobody\b/gi, say: 'no caller, no worker, …' },
  { word: 'somebody', pattern: /\bsomebody\b/gi, say: 'another user, a caller, …' },
  { word: 'anybody', pattern: /\banybody\b/gi, say: 'any caller, any user, …' },
  { word: 'told', pattern: /\btold\b/gi, say: 'sent, reported, notified' },
  { word: 'tells', pattern: /\btells\b/gi, say: 'reports, returns, shows' },
  { word: 'hears', pattern: /\bhears?\b/gi, say: 'receives' },
  { word: 'anew', pattern: /\banew\b/gi, say: 'again' },
  { word: 'beside', pattern: /\bbeside\b/gi, say: 'next to, in addition to' },
  { word: 'asked', pattern: /\basked\b/gi, say: 'requested, called' },
  { word: 'says', pattern: /\bsays\b/gi, say: 'states, returns, has' },
  { word: 'is no', pattern: /(?<!there )\bis no (?!longer\b)/gi, say: 'is not a' },
  {
    word: 'Of … alone',
    pattern: /^\s*\/(?:\*\*|\/) Of\b/g,
    say: 'a sentence with a subject and a verb',
  },
  { word: 'Null: …', pattern: /^\s*\/\*\* (?:Null|Empty|True|False|Absent):/g, say: 'null if …' },
  { word: 'stands', pattern: /\bstands?\b(?! for)/gi, say: 'is' },
]

const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$))/
/** Matches every text, so that the code between two texts is never taken for one. */
const TEXT = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
/** Code within a template string. */
const EXPRESSION = /\$\{[^{}]*\}/g
const IS_SQL = /\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE|CREATE)\b/

/** Whether people read the text: it contains a space and is not SQL. */
const isForPeople = (text: string): boolean => text.includes(' ') && !IS_SQL.test(text)

/** Comments, and texts that are not SQL. */
export const readableParts = (text: string): readonly string[] => {
  const lines = text.split('\n')
  const code = lines.filter((line) => !COMMENT_LINE.test(line)).join('\n')
  const texts = [...code.matchAll(TEXT)].map(([, single, double, template]) =>
    (single ?? double ?? template ?? '').replaceAll(EXPRESSION, '…'),
  )
  return [...lines.filter((line) => COMMENT_LINE.test(line)), ...texts.filter(isForPeople)]
}

export const countWords = (
  sources: readonly Source[],
): readonly Readonly<{ word: string; count: number }>[] => {
  const parts = sources.flatMap(({ text }) => readableParts(text))
  return WORDS.map(({ word, pattern }) => ({
    word,
    count: parts.reduce((sum, part) => sum + (part.match(pattern)?.length ?? 0), 0),
  }))
}
