/** Scripts of /api/docs: the filter, and a button at each operation that opens a form to call it. The page can be read without them. */
import { element } from './element.ts'
import { startFilter } from './filter.ts'
import { findOperation, type OpenApi } from './operation.ts'
import { createTryForm, type TryForm } from './try-form.ts'

const readDocument = async (): Promise<OpenApi> => {
  const answer = await fetch('/api/openapi.json')
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`)
  return answer.json()
}
let description: Promise<OpenApi> | null = null

const openForm = async (section: HTMLElement): Promise<TryForm> => {
  description ??= readDocument()
  const operation = findOperation(await description, section.id)
  if (operation === undefined) throw new Error('Load the page again: svc was updated.')
  return createTryForm(operation, section.dataset.body ?? '')
}

const TRY = 'Try it'
const CLOSE = 'Close'

const addButton = (section: HTMLElement): void => {
  const route = section.querySelector<HTMLElement>('.route')
  if (route === null) return
  const name = section.querySelector('h3')?.textContent ?? ''
  const button = element('button', { type: 'button' })
  const label = (text: string): void => {
    button.textContent = text
    button.ariaLabel = `${text}: ${name}`
    button.ariaExpanded = String(text === CLOSE)
  }
  label(TRY)
  let form: TryForm | null = null
  const toggle = async (): Promise<void> => {
    if (form === null) {
      form = await openForm(section)
      route.after(form.node)
    } else {
      form.close()
      form = null
    }
    label(form === null ? TRY : CLOSE)
  }
  button.addEventListener('click', () => {
    toggle().catch((error: unknown) => {
      description = null
      const text = error instanceof Error ? error.message : String(error)
      route.after(element('p', { className: 'bad', role: 'alert' }, text))
    })
  })
  route.append(button)
}

startFilter()
for (const section of document.querySelectorAll<HTMLElement>('section[data-operation]')) {
  addButton(section)
}
// on a phone the menu covers the page that its link opens
document.querySelector('#menu')?.addEventListener('click', ({ target, currentTarget }) => {
  const isLink = target instanceof Element && target.closest('a') !== null
  if (isLink && currentTarget instanceof HTMLElement && currentTarget.matches(':popover-open')) {
    currentTarget.hidePopover()
  }
})
