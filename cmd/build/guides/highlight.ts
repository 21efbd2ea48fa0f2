/** Highlights code with the parsers of the console's code editor. The classes are in web/guides/guides.css. */
import { javascriptLanguage, tsxLanguage } from '@codemirror/lang-javascript'
import { jsonLanguage } from '@codemirror/lang-json'
import { type Language, StreamLanguage } from '@codemirror/language'
import { properties } from '@codemirror/legacy-modes/mode/properties'
import { shell } from '@codemirror/legacy-modes/mode/shell'
import { standardSQL } from '@codemirror/legacy-modes/mode/sql'
import { yaml } from '@codemirror/legacy-modes/mode/yaml'
import { classHighlighter, highlightCode } from '@lezer/highlight'

/** Languages without a parser, which stay plain text. */
const PLAIN = new Set(['', 'text', 'mermaid'])

const LANGUAGES: Readonly<Record<string, Language>> = {
  ts: tsxLanguage,
  js: javascriptLanguage,
  json: jsonLanguage,
  yaml: StreamLanguage.define(yaml),
  sh: StreamLanguage.define(shell),
  sql: StreamLanguage.define(standardSQL),
  ini: StreamLanguage.define(properties),
}

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

/** @returns HTML @throws {Error} the language is unknown, which means a typing error in a document */
export const highlight = (code: string, language: string): string => {
  if (PLAIN.has(language)) return escapeHtml(code)
  const known = LANGUAGES[language]
  if (known === undefined) {
    const all = [...Object.keys(LANGUAGES), 'text'].join(', ')
    throw new Error(`A block of code is in "${language}". The guides know ${all}.`)
  }
  let html = ''
  highlightCode(
    code,
    known.parser.parse(code),
    classHighlighter,
    (text, classes) => {
      const escaped = escapeHtml(text)
      html += classes === '' ? escaped : `<span class="${classes}">${escaped}</span>`
    },
    () => {
      html += '\n'
    },
  )
  return html
}
