/** Submits a form by its button, and by Ctrl+Enter or Cmd+Enter anywhere in it. Enter alone starts a new line. */
import type { KeyboardEvent, SubmitEvent } from 'react'

/** @param submit called instead of the browser's default */
export const submitKeys = (submit: () => void) => ({
  onKeyDown: (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    submit()
  },
  onSubmit: (event: SubmitEvent): void => {
    event.preventDefault()
    submit()
  },
})
