/** Scripts of the guide pages: the search, and a button that copies a block of code. The pages can be read without them. */
import { findPassages, type Passage, toIndex } from './search.ts'

const MAX_SHOWN = 12

const script = document.querySelector<HTMLScriptElement>('script[data-search]')
const box = document.querySelector<HTMLElement>('header search')
const input = document.querySelector<HTMLInputElement>('header input')
const found = document.querySelector<HTMLElement>('#found')

/** The text of all pages, loaded when the reader begins to search. */
const openIndex = async (): Promise<ReturnType<typeof toIndex>> => {
  const answer = await fetch(script?.dataset.search ?? '')
  const passages: readonly Passage[] = await answer.json()
  return toIndex(passages)
}
let index: ReturnType<typeof openIndex> | null = null

const paragraph = (text: string): HTMLElement => {
  const element = document.createElement('p')
  element.textContent = text
  return element
}

const linkTo = ({
  address,
  title,
  page,
  before,
  match,
  after,
}: ReturnType<typeof findPassages>[number]) => {
  const link = document.createElement('a')
  link.href = address
  const excerpt = document.createElement('small')
  const mark = document.createElement('mark')
  mark.textContent = match
  excerpt.append(before, mark, after)
  link.append(title === page ? title : `${page}: ${title}`, excerpt)
  return link
}

const show = async (list: HTMLElement, words: string): Promise<void> => {
  if (words === '') {
    list.hidden = true
    return
  }
  index ??= openIndex()
  let content: readonly HTMLElement[]
  try {
    const passages = findPassages(await index, words, MAX_SHOWN)
    content =
      passages.length === 0 ? [paragraph(`Nothing found for “${words}”.`)] : passages.map(linkTo)
  } catch {
    index = null
    content = [paragraph('The search could not be loaded. Check the connection, and type again.')]
  }
  // drop a response that is older than what is typed now
  if (words !== input?.value.trim()) return
  list.replaceChildren(...content)
  list.hidden = false
}

/** Moves the focus through the field and the links below it by arrow keys. */
const move = (field: HTMLInputElement, list: HTMLElement, by: number): void => {
  const stops: (Element | null)[] = [field, ...list.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  const next = stops[(at + by + stops.length) % stops.length]
  if (next instanceof HTMLElement) next.focus()
}

if (box !== null && input !== null && found !== null) {
  box.hidden = false
  input.addEventListener('input', () => void show(found, input.value.trim()))
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') found.hidden = true
    if (event.key === 'Enter' && document.activeElement === input) found.querySelector('a')?.click()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    move(input, found, event.key === 'ArrowDown' ? 1 : -1)
  })
  document.addEventListener('click', ({ target }) => {
    const isLink = target instanceof Element && target.closest('#found a') !== null
    if (isLink || !(target instanceof Node && box.contains(target))) found.hidden = true
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement === input) return
    event.preventDefault()
    input.focus()
  })
}

for (const block of document.querySelectorAll('pre')) {
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.textContent ?? '').then(
      () => {
        button.textContent = 'Copied'
      },
      () => {
        button.textContent = 'Select the text to copy it'
      },
    )
  })
  frame.append(block, button)
}
