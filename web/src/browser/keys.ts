/** Distinguishes presses for an input method, presses on a Korean layout, and commands with Ctrl or ⌘. */
import { isApple } from './platform.ts'

/** Browsers report this code for presses that an input method takes; WebKit also for the Enter that has ended a composition. */
const IN_COMPOSITION = 229
const HANGUL_LETTER = /^[\u3131-\u3163]$/
const LETTER_CODE = /^Key([A-Z])$/

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/** Whether the press belongs to an input method, which composes a syllable. Enter and Escape then end only the composition. */
export const isComposing = ({
  isComposing: is,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => is || keyCode === IN_COMPOSITION

/** The key, or the Latin letter at its place if the layout is Korean, so that shortcuts work without a change of layout. */
export const latinKey = ({ key, code, shiftKey }: Press): string => {
  const letter = HANGUL_LETTER.test(key) ? LETTER_CODE.exec(code)?.[1] : undefined
  if (letter === undefined) return key
  return shiftKey ? letter : letter.toLowerCase()
}

type HeldPress = Press & Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>

/** Whether the press is Ctrl and the letter, or ⌘ and the letter on Apple's systems, where Ctrl edits text. */
export const isCommand = (event: HeldPress, letter: string): boolean => {
  const [isHeld, other] = isApple ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey]
  return (
    isHeld && !other && !event.altKey && !event.shiftKey && latinKey(event).toLowerCase() === letter
  )
}
