/**
 * Renders a document of the repository as a page of the guides: with links to pages,
 * highlighted code, and anchors for headings.
 */
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml, highlight } from './highlight.ts'

export type Heading = Readonly<{ depth: number; id: string; text: string }>

/** The text below one heading, for the search. */
export type Passage = Readonly<{ id: string; title: string; text: string }>

export type Rendered = Readonly<{
  html: string
  headings: readonly Heading[]
  passages: readonly Passage[]
  /** Files that the page shows, as paths in the repository. */
  images: readonly string[]
}>

export type PageName = Readonly<{ address: string; title: string }>

export type Place = Readonly<{
  root: string
  /** Where the document is in the repository. */
  path: string
  /** Returns the page of a document by its path in the repository; undefined if the guides do not contain it. */
  pageOf: (path: string) => PageName | undefined
}>

/** Makes the same anchors as GitHub, so that links within documents work there too. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

const textOf = (token: Token): string => {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(textOf).join('')
  if (token.type === 'table') return cellsOf(token as Tokens.Table).join(' ')
  if (token.type === 'list') return (token as Tokens.List).items.map(textOf).join(' ')
  if (token.type === 'html' || token.type === 'image') return ''
  if (token.type === 'br' || token.type === 'space') return ' '
  return 'text' in token ? String(token.text) : ''
}

const cellsOf = ({ header, rows }: Tokens.Table): readonly string[] =>
  [header, ...rows].flat().map(({ tokens }) => tokens.map(textOf).join(''))

/** @returns null for a link out of the repository or within the page */
const targetOf = (
  { root, path }: Place,
  href: string,
): Readonly<{ file: string; hash: string }> | null => {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return null
  const [to = '', anchor] = href.split('#')
  const file = normalize(join(dirname(path), to)).replace(/\/$/, '')
  if (!existsSync(join(root, file)))
    throw new Error(`${path} links to ${href}, which is not there.`)
  return { file, hash: anchor === undefined ? '' : `#${anchor}` }
}

/** Only anchors and comments: documents are Markdown, and the policy of the page would block most other HTML. */
const ALLOWED_HTML = /^(<a id="[\w.-]+">|<\/a>|<br>|<!--[\s\S]*-->|\s)*$/

/** Matches `queued --> running: claim` of a state diagram, and `quota{full?} -- yes --> refused[429]` of a flowchart. */
const NODE = '(\\w+|\\[\\*\\])(?:[[{(](.+?)[\\]})])?'
const ARROW = new RegExp(`^\\s*${NODE} (?:-- (.+?) )?--> ${NODE}(?:: (.+))?$`)

/** Renders a diagram as a table, because drawing it would need a library larger than all pages. */
const diagramToTable = (text: string): string => {
  const names = new Map<string, string>()
  const nameOf = (id: string, name: string | undefined): string => {
    if (name !== undefined) names.set(id, name)
    return names.get(id) ?? id
  }
  const rows = text.split('\n').flatMap((line) => {
    const [, from, fromName, label, to, toName, event = label ?? ''] = ARROW.exec(line) ?? []
    if (from === undefined || to === undefined) return []
    return [[nameOf(from, fromName), event, nameOf(to, toName)]]
  })
  const cell = (value: string): string => (value === '[*]' ? '' : escapeHtml(value))
  const body = rows.map(
    (row) => `<tr>${row.map((each) => `<td>${cell(each ?? '')}</td>`).join('')}</tr>`,
  )
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>From</th><th>Event</th><th>To</th></tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

/** The word after the language names the file that contains the block. */
const codeToHtml = ({ text, lang = '' }: Tokens.Code): string => {
  const [language = '', file] = lang.split(' ')
  if (language === 'mermaid') return diagramToTable(text)
  const block = `<pre tabindex="0"><code>${highlight(text, language)}</code></pre>`
  if (file === undefined) return `${block}\n`
  return `<figure><figcaption>${escapeHtml(file)}</figcaption>${block}</figure>\n`
}

const FILE_NAME = /^[\w./-]+\.md$/

/** Characters. A longer heading is a paragraph that lost its line break. */
const MAX_HEADING = 90

type Found = { headings: Heading[]; images: string[] }

const createRenderer = (place: Place, found: Found): Marked => {
  const ids = new Map<string, number>()
  const idOf = (text: string): string => {
    const slug = slugOf(text)
    const count = ids.get(slug) ?? 0
    ids.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
  return new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = tokens.map(textOf).join('')
        if (text.length > MAX_HEADING) {
          throw new Error(`${place.path} has a heading that is a paragraph: ${text.slice(0, 60)}…`)
        }
        const id = idOf(text)
        found.headings.push({ depth, id, text })
        const inner = this.parser.parseInline(tokens)
        return `<h${depth} id="${id}">${inner} <a class="here" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = targetOf(place, href)
        if (target === null) return `<a href="${escapeHtml(href)}">${inner}</a>`
        const page = place.pageOf(target.file)
        if (page === undefined) return inner
        // the reader of a page does not know the file's name
        const text = FILE_NAME.test(inner) ? escapeHtml(page.title) : inner
        return `<a href="${page.address}${target.hash}">${text}</a>`
      },
      image({ href, text }) {
        const target = targetOf(place, href)
        if (target === null)
          throw new Error(`${place.path} shows ${href}, which is outside of svc.`)
        found.images.push(target.file)
        return `<img src="/docs/${target.file.replace(/^docs\//, '')}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      code: codeToHtml,
      table(token) {
        const cells = (row: readonly Tokens.TableCell[], tag: string): string =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
        const isBare = token.header.every(({ text }) => text === '')
        const head = isBare ? '' : `<thead><tr>${cells(token.header, 'th')}</tr></thead>`
        const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n')
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`
      },
      html({ text }) {
        if (!ALLOWED_HTML.test(text)) throw new Error(`${place.path} contains HTML: ${text.trim()}`)
        return text.startsWith('<!--') ? '' : text
      },
    },
  })
}

/** Splits the document at its headings of levels 1 to 3. */
const passagesOf = (tokens: readonly Token[], headings: readonly Heading[]): readonly Passage[] => {
  const passages: { id: string; title: string; text: string }[] = []
  const rest = [...headings]
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { id, text, depth } = rest.shift() ?? { id: '', text: '', depth: 1 }
      if (depth <= 3) passages.push({ id, title: text, text: '' })
      continue
    }
    const last = passages.at(-1)
    if (last !== undefined) last.text = `${last.text} ${textOf(token)}`.trim()
  }
  return passages.map((each) => ({ ...each, text: each.text.replaceAll(/\s+/g, ' ') }))
}

/** @throws {Error} a link has no target, or the document contains what a page cannot show */
export const renderMarkdown = (markdown: string, place: Place): Rendered => {
  const found: Found = { headings: [], images: [] }
  const marked = createRenderer(place, found)
  const tokens = marked.lexer(markdown)
  const html = marked.parser(tokens)
  return { html, ...found, passages: passagesOf(tokens, found.headings) }
}
