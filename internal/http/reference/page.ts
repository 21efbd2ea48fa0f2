/** `/api/docs`: every operation with its shapes, errors and samples, as one page without scripts. */
import { html, raw } from 'hono/html'
import { type Description, jsonSchemaOf, type Operation, readDescription } from './description.ts'
import { outlineOf } from './outline.ts'
import { curlSample, typescriptSample } from './samples.ts'

export const REFERENCE_STYLE = `:root{color-scheme:light dark;--text:#1b1f24;--muted:#57606a;--line:#d8dee4;--code:#f6f8fa;--accent:#0b4f9e}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--muted:#9198a1;--line:#3d444d;--code:#151b23;--accent:#6cb0ff}}
*{box-sizing:border-box}body{font:15px/1.55 system-ui,sans-serif;color:var(--text);margin:0;display:grid;grid-template-columns:16rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:13px}
nav h2{font-size:13px;margin:1rem 0 .2rem}nav a{display:block;padding:.1rem 0;overflow-wrap:anywhere}
main{padding:1.5rem 2rem 4rem;max-width:70rem}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:underline}
h1{font-weight:600}main>h2{margin:3rem 0 0}.parameters td:first-child{width:12rem}.parameters td:nth-child(2){width:8rem}section{border-top:1px solid var(--line);margin-top:1.5rem;padding-top:1.2rem;scroll-margin-top:1rem}
section h3{margin:0 0 .2rem;font-size:17px}p{margin:.3rem 0}.muted{color:var(--muted)}
code,pre{font:13px/1.5 ui-monospace,monospace}pre{background:var(--code);border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem;overflow:auto;margin:.4rem 0 .9rem}
.route{font-weight:600;overflow-wrap:anywhere}.verb{display:inline-block;min-width:3.6rem;color:var(--accent)}
table{border-collapse:collapse;width:100%;margin:.4rem 0 .9rem}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line)}
.samples{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:0 1rem}summary{cursor:pointer;padding:.15rem 0}h4{margin:.8rem 0 .2rem;font-size:13px}
@media (max-width:60rem){body{display:block}nav{position:static;height:auto;max-height:40vh;border-right:0;border-bottom:1px solid var(--line)}main{padding:1rem}}`

/** Text in backticks becomes code. */
const prose = (text: string) =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

const parametersOf = ({ parameters }: Operation, description: Description) =>
  parameters.length === 0
    ? ''
    : html`<h4>Parameters</h4><table class="parameters">${parameters.map(
        ({ name, in: place, required, schema }) =>
          html`<tr><td><code>${name}</code></td><td class="muted">${place}${required ? '' : ', optional'}</td>
<td><code>${outlineOf(description, schema)}</code> ${prose(schema.description ?? '')}</td></tr>`,
      )}</table>`

const bodyOf = ({ requestBody }: Operation, description: Description) => {
  if (requestBody === undefined) return ''
  const schema = jsonSchemaOf(requestBody.content)
  const types = Object.keys(requestBody.content).join(', ')
  return html`<h4>Body${requestBody.required ? '' : ', optional'} <span class="muted">${types}</span></h4>${
    schema === null ? '' : html`<pre>${outlineOf(description, schema)}</pre>`
  }`
}

/** A schema of errors is the same for all: it is written once, at the top of the page. */
const answersOf = ({ responses }: Operation, description: Description) =>
  html`<h4>Answers</h4>${Object.entries(responses).map(
    ([status, { description: text, content }]) => {
      const schema = status.startsWith('2') ? jsonSchemaOf(content) : null
      return schema === null
        ? html`<p><b>${status}</b> ${prose(text)}</p>`
        : html`<details><summary><b>${status}</b> ${prose(text)}</summary><pre>${outlineOf(description, schema)}</pre></details>`
    },
  )}`

const sectionOf = (operation: Operation, description: Description) => {
  const { operationId, method, path, summary, description: who } = operation
  const typescript = typescriptSample(description, operation)
  return html`<section id="${operationId}"><h3><a href="#${operationId}">${prose(summary)}</a></h3>
<p class="route"><code><span class="verb">${method.toUpperCase()}</span> ${path}</code></p>
<p class="muted">${prose(who)} <code>${operationId}</code></p>
${parametersOf(operation, description)}${bodyOf(operation, description)}${answersOf(operation, description)}
<div class="samples"><div><h4>curl</h4><pre>${curlSample(description, operation)}</pre></div>${
    typescript === null ? '' : html`<div><h4>TypeScript</h4><pre>${typescript}</pre></div>`
  }</div></section>`
}

const ERRORS: readonly (readonly [status: string, meaning: string, remedy: string])[] = [
  [
    '400',
    'The request is malformed',
    '`details` names each place. Unknown fields are refused too.',
  ],
  ['401', 'No valid credential', 'Send a token that has neither expired nor been revoked.'],
  ['403', 'The credential lacks a right', 'The sentence names the scope or grant.'],
  ['404', 'There is no such thing, or it is not yours', 'Check the id and the workspace.'],
  [
    '409',
    'It is not in a state that allows this',
    'Read it again; `code` names what is in the way.',
  ],
  ['413', 'Too large', 'The sentence names the limit.'],
  ['422', 'Understood, and refused by a rule', '`details` has file, line and what to do.'],
  ['429', 'Too many requests, or a full queue', 'Wait for `Retry-After` seconds.'],
  ['502', 'Another system did not answer', 'Try again, or check that system.'],
  [
    '503',
    'The node cannot work now',
    'Wait for `Retry-After` seconds; `svc doctor` names the cause.',
  ],
]

/** Lets requests be answered between two parts of the page, which take some milliseconds each. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** @param document the OpenAPI document */
export const referencePage = async (document: unknown, version: string): Promise<string> => {
  const description = readDescription(document)
  const tags = [...new Set(description.operations.map(({ tags: [tag = ''] }) => tag))].toSorted()
  const groups = tags.map((tag) => ({
    tag,
    operations: description.operations.filter(({ tags: [first] }) => first === tag),
  }))
  const sections: string[] = []
  for (const { tag, operations } of groups) {
    await turn()
    const parts = operations.map((each) => sectionOf(each, description))
    sections.push(String(html`<h2>${tag}</h2>${parts}`))
  }
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>svc API</title>
<meta name="viewport" content="width=device-width"><style>${raw(REFERENCE_STYLE)}</style></head><body>
<nav aria-label="Operations"><a href="/docs/">svc guides</a><a href="#top">svc API ${version}</a>${groups.map(
    ({ tag, operations }) =>
      html`<h2>${tag}</h2>${operations.map(
        ({ operationId, summary }) => html`<a href="#${operationId}">${prose(summary)}</a>`,
      )}`,
  )}</nav><main id="top"><h1>svc API ${version}</h1>
<p>Send a token as <code>Authorization: Bearer …</code>. For programs: <a href="/api/openapi.json">/api/openapi.json</a>. The samples use
<code>SVC_URL</code> and <code>SVC_TOKEN</code>; in TypeScript:</p>
<pre>import { createClient } from '@svc/sdk/client'

const client = createClient({ url: process.env.SVC_URL, token: process.env.SVC_TOKEN, workspace: 'default' })</pre>
<h2>Errors</h2><p>A refusal is <code>{"error", "code", "request_id", "details"?}</code>: a sentence, a word to switch on, the id that svc's log has,
and the places in the input.</p><table>${ERRORS.map(
    ([status, meaning, remedy]) =>
      html`<tr><td><b>${status}</b></td><td>${meaning}</td><td>${remedy}</td></tr>`,
  )}</table>
${raw(sections.join(''))}</main></body></html>`
  return String(page)
}
