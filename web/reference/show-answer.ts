/** Shows a response: status, time, headers, and the body as it arrives. */
import { element } from './element.ts'

/** A longer text makes the page slow. The curl command prints all of it. */
const MAX_SHOWN = 200_000

const isText = (type: string): boolean =>
  type.startsWith('text/') || /json|xml|javascript|x-www-form/.test(type)

const pretty = (text: string, type: string): string => {
  if (!/json/.test(type)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const cut = (text: string): string =>
  text.length <= MAX_SHOWN
    ? text
    : `${text.slice(0, MAX_SHOWN)}\n… ${text.length - MAX_SHOWN} more characters`

const headersOf = ({ headers }: Response): HTMLElement =>
  element(
    'details',
    {},
    element('summary', {}, 'Headers'),
    element(
      'pre',
      { tabIndex: 0 },
      [...headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    ),
  )

/** Links the error code of the response to its explanation. */
const codeLink = (text: string): readonly HTMLElement[] => {
  const [, code] = /"code": "(\w+)"/.exec(text) ?? []
  const row = code === undefined ? null : document.querySelector(`#code-${code}`)
  if (row === null) return []
  const link = element('a', { href: `#${row.id}` }, `What ${code} means`)
  link.addEventListener('click', () => row.closest('details')?.setAttribute('open', ''))
  return [element('p', {}, link)]
}

const follow = async (response: Response, body: HTMLElement): Promise<void> => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const read = await reader?.read()
    if (read === undefined || read.done) return
    text = (text + read.value).slice(-MAX_SHOWN)
    body.textContent = text
  }
}

const statusLine = ({ status, statusText, type }: Response, ms: number): HTMLElement => {
  if (type === 'opaqueredirect') {
    return element('p', {}, 'The answer is a redirect. Open the address in the browser instead.')
  }
  const word = element('b', { className: status < 400 ? 'good' : 'bad' }, `${status} ${statusText}`)
  return element('p', {}, word, ` in ${Math.round(ms)} ms`)
}

/** Resolves when the whole response is shown. @param ms from the request to the headers of the response */
export const showAnswer = async (
  place: HTMLElement,
  response: Response,
  ms: number,
): Promise<void> => {
  const type = response.headers.get('content-type') ?? ''
  const body = element('pre', { tabIndex: 0 })
  place.replaceChildren(statusLine(response, ms))
  if (response.type === 'opaqueredirect') return
  place.append(headersOf(response))
  if (type.startsWith('text/event-stream')) {
    place.append(body)
    return follow(response, body)
  }
  if (!isText(type)) {
    const { size } = await response.blob()
    place.append(element('p', {}, size === 0 ? 'No body' : `${size} bytes of ${type}`))
    return
  }
  const text = pretty(await response.text(), type)
  body.textContent = cut(text)
  place.append(...(response.ok ? [] : codeLink(text)), body)
}
