/** What a form listens to: its button, and Ctrl+Enter or Cmd+Enter anywhere within it, where Enter alone makes a line. */
import type { KeyboardEvent, SubmitEvent } from 'react'

/** @param submit is called instead of what the browser does by itself */
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
