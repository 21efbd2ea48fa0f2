/** The field above the menu. It shows only the operations that contain all typed words. */
const input = document.querySelector<HTMLInputElement>('#filter')
const none = document.querySelector<HTMLElement>('#none')

const show = (typed: string): void => {
  const words = typed.toLowerCase().split(/\s+/)
  let shown = 0
  for (const group of document.querySelectorAll<HTMLElement>('nav div')) {
    const links = [...group.querySelectorAll('a')]
    for (const link of links) {
      const text = `${link.textContent} ${link.dataset.words}`.toLowerCase()
      link.hidden = !words.every((word) => text.includes(word))
    }
    const found = links.filter(({ hidden }) => !hidden).length
    group.hidden = found === 0
    shown += found
  }
  if (none !== null) none.hidden = shown > 0
}

export const startFilter = (): void => {
  if (input === null) return
  input.hidden = false
  input.addEventListener('input', () => show(input.value.trim()))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input,textarea')
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    input.focus()
  })
}
