/**
 * What a code editor offers while typing: completions, and explanations of
 * words. Implemented by functions that understand the text.
 */

export type Suggestion = Readonly<{
  label: string
  kind: 'property' | 'method' | 'enum'
  /** Its type, next to the label. */
  detail?: string
  /** What the member is for. */
  info?: string
  /** The inserted text. @default the label */
  apply?: string
}>

export type Suggestions = Readonly<{
  /** The start of the text that a suggestion replaces. */
  from: number
  options: readonly Suggestion[]
}>

export type Explanation = Readonly<{ from: number; to: number; title: string; text: string }>

/** Pure functions of a text and a position. They return null if they know nothing about it. */
export type CodeAssist = Readonly<{
  suggest: (text: string, at: number) => Suggestions | null
  explain: (text: string, at: number) => Explanation | null
}>
