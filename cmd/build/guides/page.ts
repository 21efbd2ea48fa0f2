/** The frame of every page of the guides: menu, search, the document, its outline, and links to the previous and next page. */
import { html, raw } from 'hono/html'
import type { Section, Source } from './contents.ts'
import type { Heading, Rendered } from './markdown.ts'

export const GUIDES = '/docs/'

/** Addresses of the files that every page needs. */
export type Assets = Readonly<{ style: string; script: string; search: string }>

export type PageFrame = Readonly<{
  sections: readonly Section[]
  assets: Assets
  version: string
}>

/** @param slug empty for the list of all pages */
const menuOf = (sections: readonly Section[], slug: string) =>
  sections.map(
    ({ title, sources }) =>
      html`<h2>${title}</h2><ul>${sources.map((source) => {
        const current = source.slug === slug ? raw(' aria-current="page"') : ''
        return html`<li><a href="${GUIDES}${source.slug}"${current}>${source.title}</a></li>`
      })}</ul>`,
  )

/** Only two levels of headings, because more would make the list longer than the page. */
const outlineOf = (headings: readonly Heading[]) => {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return ''
  return html`<nav class="outline" aria-label="On this page"><h2>On this page</h2><ul>${shown.map(
    ({ depth, id, text }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`
}

const neighboursOf = (sections: readonly Section[], slug: string) => {
  const all = sections.flatMap(({ sources }) => sources)
  const at = all.findIndex((source) => source.slug === slug)
  const link = (source: Source | undefined, word: string) =>
    source === undefined
      ? html`<span></span>`
      : html`<a href="${GUIDES}${source.slug}" rel="${word}">${source.title}</a>`
  return html`<nav class="neighbours" aria-label="Previous and next page">${link(all[at - 1], 'prev')}${link(all[at + 1], 'next')}</nav>`
}

type Body = Readonly<{ title: string; slug: string; content: unknown; outline: unknown }>

const frame = (
  { sections, assets, version }: PageFrame,
  { title, slug, content, outline }: Body,
): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · svc</title>
<link rel="icon" href="${GUIDES}favicon.svg">
<link rel="stylesheet" href="${assets.style}">
<script src="${GUIDES}theme.js"></script>
<script type="module" src="${assets.script}" data-search="${assets.search}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header><button type="button" popovertarget="menu">Menu</button><a class="home" href="${GUIDES}">svc guides</a>
<search hidden><input type="search" aria-label="Search the guides" placeholder="Search   /" autocomplete="off"
 aria-controls="found"><div id="found" class="found" hidden></div></search>
<a class="aside" href="/api/docs">API</a><a class="aside" href="/ui/">Console</a></header>
<nav id="menu" class="menu" popover aria-label="Guides">${menuOf(sections, slug)}</nav>
<main id="content">${content}
<footer>svc ${version}</footer></main>
${outline}
</body>
</html>
`)

/** A page with the document. */
export const documentPage = (
  given: PageFrame,
  { source, rendered }: Readonly<{ source: Source; rendered: Rendered }>,
): string =>
  frame(given, {
    title: source.title,
    slug: source.slug,
    content: html`<article>${raw(rendered.html)}</article>${neighboursOf(given.sections, source.slug)}`,
    outline: outlineOf(rendered.headings),
  })

/** The page at /docs/: all pages by section. */
export const contentsPage = (given: PageFrame): string =>
  frame(given, {
    title: 'Guides',
    slug: '',
    content: html`<article><h1>svc guides</h1><p>svc runs your TypeScript and JavaScript functions as durable jobs. These pages
belong to version ${given.version}, and this server needs no other site to show them.</p><div class="contents">${given.sections.map(
      ({ title, sources }) =>
        html`<section><h2>${title}</h2><ul>${sources.map(
          ({ slug, title: name }) => html`<li><a href="${GUIDES}${slug}">${name}</a></li>`,
        )}</ul></section>`,
    )}</div></article>`,
    outline: '',
  })

/** The page for an unknown address below /docs/. */
export const missingPage = (given: PageFrame): string =>
  frame(given, {
    title: 'No such page',
    slug: '',
    content: html`<article><h1>No such page</h1><p>There is no page at this address. Search for it, or take it from
<a href="${GUIDES}">the list of all pages</a>.</p></article>`,
    outline: '',
  })
