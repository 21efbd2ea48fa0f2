/** Times, durations, ids and other numbers of a page differ between runs. Its pictures show the same in their place. */
import type { Page } from 'playwright-core'

/** A function in a string, because tests are compiled without the types of the DOM. React keeps a text that it did not change. */
const FIX_TEXTS = String.raw`(() => {
  const id = /[0-9a-f]{8}(-[0-9a-f]*)+/g
  const duration = /(0(ms|s|m|h|밀리초|초|분|시간)\s*)+/g
  const fixed = (text) =>
    text.replace(id, (of) => of.replace(/[^-]/g, 'x')).replace(/\d[\d.,]*/g, '0').replace(duration, '0s')
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    const text = node.parentElement.closest('time') ? '00:00' : fixed(node.nodeValue)
    if (node.nodeValue !== text) node.nodeValue = text
  }
})()`

/** Shows one time for all times, and the same digits for all numbers and ids. */
export const fixTexts = async (page: Page): Promise<void> => {
  await page.evaluate(FIX_TEXTS)
}
