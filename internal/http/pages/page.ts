/**
 * Pages that svc renders itself for people without the console, such as sign-in and invites. They work without a script,
 * except for the one that reads files; another script only shows times in the reader's zone. Each page has one inline style
 * and script, which the content security policy allows by hash. hono/html escapes every value.
 */

import { html, raw } from 'hono/html'
import { cspHash } from './csp-hash.ts'
import type { Language } from './page-language.ts'

/** The colours are those of the console (web/src/theme/tokens.css). */
const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#ffffff, #0f1317); --text: light-dark(#1b1f24, #e6eaee);
  --muted: light-dark(#57606a, #9da8b3); --line: light-dark(#848d97, #66717d); --accent: light-dark(#0a5bb8, #6cb0ff);
  --on-accent: light-dark(#ffffff, #08192c); --bad: light-dark(#b6232b, #ff8f87) }
body { font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans KR",
  "Noto Sans CJK KR", sans-serif; word-break: keep-all; overflow-wrap: anywhere; margin: 0; display: grid; min-height: 100vh;
  place-items: center; background: var(--ground); color: var(--text) }
main { width: min(26rem, calc(100vw - 3rem)); padding: 2rem 0 }
main.wide { width: min(52rem, calc(100vw - 3rem)) }
h1 { font-size: 1.4rem; margin: 0 0 1rem }
h2 { font-size: 1rem; margin: 1.5rem 0 .4rem }
a { color: var(--accent) }
label { display: block; margin: 1rem 0 0; font-weight: 600 }
input, select, textarea { font: inherit; font-weight: 400; width: 100%; box-sizing: border-box; padding: .5rem .6rem; margin-top: .3rem;
  border: 1px solid var(--line); border-radius: 6px; background: transparent; color: inherit }
button { font: inherit; font-weight: 600; margin: 1.5rem .5rem 0 0; padding: .5rem 1.1rem; border-radius: 6px;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer }
button.plain { background: transparent; color: inherit; border-color: var(--line) }
.hint { font-weight: 400; color: var(--muted) }
p.hint { margin: .3rem 0 0 }
p.from { margin: 0 0 .3rem }
label.box { font-weight: 400 }
label.box input { width: auto; margin-right: .4rem }
:is(input, select, textarea, button, a):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem }
dd { margin: 0; overflow-wrap: anywhere }
pre { margin: 0; padding: .8rem; max-height: 24rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px;
  font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
.text { white-space: pre-wrap; overflow-wrap: anywhere }
.fault { border-left: 3px solid var(--bad); padding: .2rem .8rem }
code { font: .95em ui-monospace, monospace }
`

const STYLE_HASH = cspHash(STYLE)

/** Shows each time in the time zone of the reader. */
const LOCAL_TIMES = `
for (const each of document.querySelectorAll('time')) {
  each.textContent = new Date(each.dateTime).toLocaleString(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
}
`

const LOCAL_TIMES_HASH = cspHash(LOCAL_TIMES)

/** A page with a script may send requests to svc itself, and then its forms need not be sent by the browser. */
const policyOf = (script: string | null, hasTimes: boolean): string => {
  const forms =
    script === null
      ? `${hasTimes ? `script-src ${LOCAL_TIMES_HASH}; ` : ''}form-action 'self'`
      : `script-src ${cspHash(script)}; connect-src 'self'; form-action 'none'`
  return `default-src 'none'; style-src ${STYLE_HASH}; ${forms}; base-uri 'none'; frame-ancestors 'none'`
}

export type PageContent = ReturnType<typeof html>

/** A time to the minute in UTC; the page's script shows it in the reader's zone. */
export const timeOf = (ms: number): PageContent => {
  const text = new Date(ms).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`
}

export type Page = Readonly<{
  title: string
  content: PageContent
  status?: number
  headers?: Readonly<Record<string, string>>
  /** @default English */
  language?: Language
  /** The workspace that the page belongs to, shown above the heading. @default none */
  workspace?: string
  /** For results and logs. @default false */
  isWide?: boolean
  /** Whether the content uses `timeOf`. Such a page has no other script. @default false */
  hasTimes?: boolean
  /** It must be svc's own text, because it is written into the page unescaped. @default none */
  script?: string
}>

export const toPageResponse = async ({
  title,
  content,
  status = 200,
  headers = {},
  language = 'en',
  workspace,
  isWide = false,
  hasTimes = false,
  script = hasTimes ? LOCAL_TIMES : undefined,
}: Page): Promise<Response> => {
  const text = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · svc</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main${isWide ? html` class="wide"` : ''}>
${workspace === undefined ? '' : html`<p class="hint from">${workspace}</p>`}<h1>${title}</h1>
${content}
</main>
${script === undefined ? '' : html`<script>${raw(script)}</script>`}</body>
</html>
`
  const own = {
    'content-type': 'text/html; charset=utf-8',
    vary: 'Accept-Language',
    'content-security-policy': policyOf(hasTimes ? null : (script ?? null), hasTimes),
  }
  return new Response(String(text), { status, headers: { ...own, ...headers } })
}
