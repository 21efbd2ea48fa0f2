/**
 * `/api/docs`: every operation with its shapes, errors and samples, as one page. Its script (web/reference) adds a filter and
 * forms that call the API; without scripts the page can be read.
 */
import { setImmediate } from 'node:timers/promises'
import { html, raw } from 'hono/html'
import { type Description, jsonSchemaOf, type Operation, readDescription } from './description.ts'
import { ERROR_CODES } from './errors.gen.ts'
import { outlineOf } from './outline.ts'
import { bodySample, curlSample, typescriptSample } from './samples.ts'
import { REFERENCE_SCRIPT, REFERENCE_STYLE, THEME_SCRIPT } from './script.gen.ts'

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
    schema === null ? '' : html`<pre tabindex="0">${outlineOf(description, schema)}</pre>`
  }`
}

/** Errors that all operations share are explained once, at the top of the page. */
const sharedOf = ({ sharedStatuses }: Operation) =>
  sharedStatuses.length === 0
    ? ''
    : html`<p class="muted"><a href="#errors">${sharedStatuses.join(', ')}</a> as at every operation</p>`

const answersOf = ({ responses }: Operation, description: Description) =>
  html`<h4>Responses</h4>${Object.entries(responses).map(
    ([status, { description: text, content }]) => {
      const schema = status.startsWith('2') ? jsonSchemaOf(content) : null
      return schema === null
        ? html`<p><b>${status}</b> ${prose(text)}</p>`
        : html`<details><summary><b>${status}</b> ${prose(text)}</summary><pre tabindex="0">${outlineOf(description, schema)}</pre></details>`
    },
  )}`

const sectionOf = (operation: Operation, description: Description) => {
  const { operationId, method, path, summary, description: who } = operation
  const typescript = typescriptSample(description, operation)
  const body = bodySample(description, operation)
  const sample = body === null ? '' : html` data-body="${JSON.stringify(body, null, 2)}"`
  return html`<section id="${operationId}" data-operation${sample}><h3><a href="#${operationId}">${prose(summary)}</a></h3>
<div class="route"><code><span class="verb">${method.toUpperCase()}</span> ${path}</code></div>
<p class="muted">${prose(who)} <code>${operationId}</code></p>
${parametersOf(operation, description)}${bodyOf(operation, description)}${answersOf(operation, description)}${sharedOf(operation)}
<div class="samples"><div><h4>curl</h4><pre tabindex="0">${curlSample(description, operation)}</pre></div>${
    typescript === null
      ? ''
      : html`<div><h4>TypeScript</h4><pre tabindex="0">${typescript}</pre></div>`
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

const errorsPart =
  () => html`<h2 id="errors">Errors</h2><p>A refusal is <code>{"error", "code", "request_id", "details"?}</code>: a sentence, a word to switch on, the id that svc's log has,
and the places in the input.</p><div class="scroll"><table>${ERRORS.map(
    ([status, meaning, remedy]) =>
      html`<tr><td><b>${status}</b></td><td>${meaning}</td><td>${remedy}</td></tr>`,
  )}</table></div>
<details><summary>All codes, with what they say</summary><div class="scroll"><table>${ERROR_CODES.map(
    ([code, statuses, sentences]) =>
      html`<tr id="code-${code}"><td><code>${code}</code></td><td>${statuses}</td><td>${sentences.map((each) => html`${each}<br>`)}</td></tr>`,
  )}</table></div></details>`

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
    // other requests go on between two parts of the page, which take some milliseconds each
    await setImmediate()
    const parts = operations.map((each) => sectionOf(each, description))
    sections.push(String(html`<h2>${tag}</h2>${parts}`))
  }
  const page = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>svc API</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>${raw(REFERENCE_STYLE)}</style><script>${raw(THEME_SCRIPT)}</script></head><body>
<a class="skip" href="#top">Skip to the text</a>
<header><button type="button" popovertarget="menu">Menu</button><a class="home" href="#top">svc API ${version}</a><a class="aside" href="/docs/">Guides</a><a class="aside" href="/ui/">Console</a></header>
<nav id="menu" popover aria-label="Operations"><input id="filter" type="search" aria-label="Filter the operations" placeholder="Filter   /" autocomplete="off" hidden><p id="none" role="status" hidden>No operation has these words.</p>${groups.map(
    ({ tag, operations }) =>
      html`<div><h2>${tag}</h2>${operations.map(
        ({ operationId, method, path, summary }) =>
          html`<a href="#${operationId}" data-words="${method} ${path} ${operationId}">${prose(summary)}</a>`,
      )}</div>`,
  )}</nav><main id="top"><h1>svc API ${version}</h1>
<p>Send a token as <code>Authorization: Bearer …</code>. For programs: <a href="/api/openapi.json">/api/openapi.json</a>. The samples use
<code>SVC_URL</code> and <code>SVC_TOKEN</code>; in TypeScript:</p>
<pre tabindex="0">import { createClient } from '@svc/sdk/client'

const client = createClient({ url: process.env.SVC_URL, token: process.env.SVC_TOKEN, workspace: 'default' })</pre>
${errorsPart()}
${raw(sections.join(''))}</main><script>${raw(REFERENCE_SCRIPT)}</script></body></html>`
  return String(page)
}
