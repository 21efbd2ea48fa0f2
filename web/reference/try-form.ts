/** The form that calls one operation, with the session of the browser or with a token that this page does not keep. */
import { element } from './element.ts'
import { createFields } from './fields.ts'
import type { Operation } from './operation.ts'
import { type Filled, NotFilledIn, toCurl, toRequest } from './request.ts'
import { readSession } from './session.ts'
import { showAnswer } from './show-answer.ts'

/** The initial workspace of the form, until those of the session are known. */
const FIRST_WORKSPACE = 'default'

const signInHint = (): readonly (Node | string)[] => [
  'You are not signed in. ',
  element('a', { href: '/ui/sign-in', target: '_blank', rel: 'noopener' }, 'Sign in'),
  ' in another tab, or paste a token.',
]

/** Receives the workspaces that the session can open. */
type OnWorkspaces = (workspaces: readonly string[]) => void

/** Describes the credential of the request. */
const credentialText = async (
  { isPublic, takesSession }: Operation,
  token: string,
  onWorkspaces: OnWorkspaces,
): Promise<readonly (Node | string)[]> => {
  if (isPublic) return ['Sent without a credential.']
  if (token !== '') return ['Sent with this token.']
  if (!takesSession) return ['A session does not open this operation: paste an API key.']
  const session = await readSession()
  onWorkspaces(session?.workspaces ?? [])
  return session === null ? signInHint() : [`Sent with your session, ${session.email}.`]
}

const credentialFields = (operation: Operation, onWorkspaces: OnWorkspaces) => {
  const field = element('input', { type: 'password', autocomplete: 'off' })
  const hint = operation.takesSession ? ' empty: your session' : ''
  const label = element('label', {}, 'Token', element('small', {}, hint), field)
  const who = element('p', { className: 'muted', role: 'status' })
  const tell = (): void =>
    void credentialText(operation, field.value.trim(), onWorkspaces).then(
      (parts) => who.replaceChildren(...parts),
      () => who.replaceChildren('The server does not answer.'),
    )
  field.addEventListener('input', tell)
  // the reader may have signed in in another tab meanwhile
  addEventListener('focus', tell)
  tell()
  return {
    nodes: operation.isPublic ? [who] : [who, label],
    token: () => field.value.trim(),
    release: () => removeEventListener('focus', tell),
  }
}

const failureText = (error: unknown): string => {
  if (error instanceof NotFilledIn) return error.message
  if (error instanceof DOMException && error.name === 'AbortError') return 'Stopped.'
  return 'The server did not answer. Check the connection and try again.'
}

/** Sends the request and shows the response, until it ends or the person stops it. */
const send = async (filled: Filled, place: HTMLElement, signal: AbortSignal): Promise<void> => {
  try {
    const { address, init } = toRequest(filled)
    place.replaceChildren(element('p', {}, 'Sending …'))
    const startedAt = performance.now()
    const response = await fetch(address, { ...init, signal })
    await showAnswer(place, response, performance.now() - startedAt)
  } catch (error) {
    place.append(element('p', { className: 'bad' }, failureText(error)))
  }
}

/** Shows the command, or what it lacks. */
const showCommand = (filled: Filled, place: HTMLElement): void => {
  try {
    place.replaceChildren(element('pre', { tabIndex: 0 }, toCurl(filled)))
  } catch (error) {
    place.replaceChildren(element('p', { className: 'bad' }, failureText(error)))
  }
}

export type TryForm = Readonly<{ node: HTMLFormElement; close: () => void }>

/** @param sample the initial text of the body */
export const createTryForm = (operation: Operation, sample: string): TryForm => {
  const fields = createFields(operation, sample)
  fields.set('path', 'ws', FIRST_WORKSPACE)
  const credential = credentialFields(operation, ([workspace]) => {
    const isUntouched = fields.valueIn('path', 'ws') === FIRST_WORKSPACE
    if (workspace !== undefined && isUntouched) fields.set('path', 'ws', workspace)
  })
  const answer = element('div', { className: 'answer', ariaLive: 'polite' })
  const submit = element('button', { className: 'send' }, `Send ${operation.method}`)
  const stop = element('button', { type: 'button', hidden: true }, 'Stop')
  const command = element('button', { type: 'button' }, 'Show as curl')
  const buttons = element('div', { className: 'buttons' }, submit, stop, command)
  const node = element('form', { className: 'try' }, ...credential.nodes, fields.node)
  node.noValidate = true
  node.append(buttons, answer)
  const filled = (): Filled => ({
    operation,
    valueIn: fields.valueIn,
    body: fields.body(),
    token: credential.token(),
  })
  let sending: AbortController | null = null
  const setSending = (next: AbortController | null): void => {
    sending = next
    submit.disabled = next !== null
    stop.hidden = next === null
  }
  node.addEventListener('submit', (event) => {
    event.preventDefault()
    if (sending !== null) return
    const controller = new AbortController()
    setSending(controller)
    answer.replaceChildren()
    void send(filled(), answer, controller.signal).finally(() => setSending(null))
  })
  stop.addEventListener('click', () => sending?.abort())
  command.addEventListener('click', () => showCommand(filled(), answer))
  return {
    node,
    close: () => {
      sending?.abort()
      credential.release()
      node.remove()
    },
  }
}
