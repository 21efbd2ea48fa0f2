/** What a code editor offers while one writes: completions, and what a word means. Functions that know the text give them. */

export type Suggestion = Readonly<{
  label: string
  kind: 'property' | 'method' | 'enum'
  /** Its type, next to the label. */
  detail?: string
  /** What it is for. */
  info?: string
  /** What is written. @default the label */
  apply?: string
}>

export type Suggestions = Readonly<{
  /** Where the text begins that a suggestion replaces. */
  from: number
  options: readonly Suggestion[]
}>

export type Explanation = Readonly<{ from: number; to: number; title: string; text: string }>

/** Pure functions of a text and a place in it; null: they know nothing there. */
export type CodeAssist = Readonly<{
  suggest: (text: string, at: number) => Suggestions | null
  explain: (text: string, at: number) => Explanation | null
}>
