/** Submits a form by its button, and by Ctrl+Enter or Cmd+Enter anywhere in it. Enter alone starts a new line. */
import type { KeyboardEvent, SubmitEvent } from 'react'
import { isComposing } from '../browser/keys.ts'

/** @param submit called instead of the browser's default */
export const submitKeys = (submit: () => void) => ({
  // the code editor must not receive the key, because it would add a line to what is sent
  onKeyDownCapture: (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // some browsers send Enter again after it has ended a composition
    if (isComposing(event.nativeEvent)) return
    event.preventDefault()
    event.stopPropagation()
    submit()
  },
  onSubmit: (event: SubmitEvent): void => {
    event.preventDefault()
    submit()
  },
})
