import type { FunctionContext, Json } from '@svc/sdk'
import { type Shown, stateKey } from '../../lib/shown.ts'

type Context = Pick<FunctionContext, 'method' | 'query' | 'set' | 'state' | 'sendEvent'> & {
  body: { answer?: string }
}

const isShown = (value: Json): value is Shown =>
  typeof value === 'object' && value !== null && 'stage' in value

const toHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

const FORM = `<form method="post">
  <button name="answer" value="publish">Publish</button> <button name="answer" value="reject">Reject</button>
</form>`

const page = ({ stage, draft }: Shown): string =>
  `<!doctype html><title>Review</title><p>${toHtml(draft)}</p>${stage === 'open' ? FORM : `<p>It is ${stage}.</p>`}`

export const main = async ({ method, query, body, set, state, sendEvent }: Context) => {
  const token = query.token ?? ''
  const shown = await state.get(stateKey(token))
  set.headers['content-type'] = 'text/html; charset=utf-8'
  if (!isShown(shown)) {
    set.status = 404
    return '<!doctype html><title>Review</title><p>There is no such draft.</p>'
  }
  const { answer } = body
  if (method !== 'POST' || shown.stage !== 'open' || answer === undefined) return page(shown)
  // by its id, the first of several answers counts
  await sendEvent('review.decided', { key: token, data: { answer }, id: `review/${token}` })
  return '<!doctype html><title>Review</title><p>Thank you. <a href="">Reload</a></p>'
}
