/**
 * Finds what a person without a mouse cannot do on a page: controls that Tab
 * does not reach, and controls that do not show their focus.
 */
import type { Page } from 'playwright-core'
import { z } from 'zod'

const CONTROLS =
  'a[href], button, input, select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=switch], [role=tab]'
/** Tab reaches one control of each group; the arrow keys reach the others. */
const GROUPS = '[role=tablist], [role=radiogroup], [role=toolbar], [role=menu], [role=grid]'

/** Runs in the page: numbers the controls that are visible and enabled. */
const NUMBER_CONTROLS = `(() => {
  document.activeElement?.blur()
  const groups = [...document.querySelectorAll('${GROUPS}')]
  const isUsable = (each) =>
    each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    !each.matches(':disabled, [aria-disabled=true]') && !each.closest('[inert], [aria-hidden=true]')
  return [...document.querySelectorAll('${CONTROLS}')].filter(isUsable).map((each, at) => {
    each.dataset.control = String(at)
    const text = (each.ariaLabel ?? each.labels?.[0]?.textContent ?? each.textContent ?? '').trim()
    return {
      name: (each.tagName.toLowerCase() + ' ' + (each.type ?? '') + ' ' + text.slice(0, 40)).trim(),
      group: groups.indexOf(each.closest('${GROUPS}')),
    }
  })
})()`

/** Runs in the page: returns which control has the focus, and whether it shows that. Its container may show the focus instead. */
const READ_FOCUS = `(() => {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return null
  const isMarked = (each) => {
    // the link of a row is drawn around the whole row
    return ['', '::after'].some((part) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each, part)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    })
  }
  const { control } = focused.dataset
  return {
    at: control === undefined ? null : Number(control),
    isShown: isMarked(focused) || isMarked(focused.parentElement),
  }
})()`

const numbered = z.array(z.object({ name: z.string(), group: z.number() }))
const focused = z.object({ at: z.number().nullable(), isShown: z.boolean() }).nullable()

/** Maximum number of places that take the focus without being controls, such as a table that scrolls or the text of a log. */
const MOST_OTHERS = 30

/** Walks through the page by Tab. @returns a line for each control that is not reached or does not show its focus */
export const keyboardBarriers = async (page: Page): Promise<readonly string[]> => {
  const controls = numbered.parse(await page.evaluate(NUMBER_CONTROLS))
  const reached = new Map<number, boolean>()
  for (let left = controls.length + MOST_OTHERS; left > 0; left -= 1) {
    await page.keyboard.press('Tab')
    const focus = focused.parse(await page.evaluate(READ_FOCUS))
    if (focus === null || (focus.at !== null && reached.has(focus.at))) break
    if (focus.at !== null) reached.set(focus.at, focus.isShown)
  }
  const groups = new Set(controls.filter((_, at) => reached.has(at)).map(({ group }) => group))
  return controls.flatMap(({ name, group }, at) => {
    const isShown = reached.get(at)
    if (isShown === false) return [`${name}: does not show its focus`]
    const isReached = isShown === true || (group !== -1 && groups.has(group))
    return isReached ? [] : [`${name}: is not reached by Tab`]
  })
}
